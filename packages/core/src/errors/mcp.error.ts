import { ErrorCode } from '../protocol/vocabulary.js';
import type { JsonValue } from '../protocol/json.js';
import type { ClientCapabilities } from '../protocol/official.js';
import { hasBrand } from './thrown.js';

const BRAND = Symbol.for('@mocapi/core:McpError');

/** Members that an `McpError` may have besides its code and message. */
export interface McpErrorOptions {
  /** Sent to the client as `error.data`. */
  readonly data?: JsonValue;
  /** Never sent; logged once. */
  readonly cause?: unknown;
  /** The HTTP status when the error is the whole response. Default: by code, as `errorToHttpStatus` says. */
  readonly httpStatus?: number;
}

/**
 * An error that reaches the client as a JSON-RPC error, with its code, message and data as they are.
 * Thrown from a tool body it fails the call (and a task) instead of completing it with `isError`.
 */
export class McpError extends Error {
  readonly data?: JsonValue;
  readonly httpStatus?: number;

  constructor(
    readonly code: number,
    message: string,
    options: McpErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    if (options.data !== undefined) this.data = options.data;
    if (options.httpStatus !== undefined) this.httpStatus = options.httpStatus;
  }

  get [BRAND](): true {
    return true;
  }

  /** True for every McpError, whichever copy of this package made it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== McpError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return hasBrand(value, BRAND);
  }
}

/** `-32602`: the params of a request are not what its method takes. */
export function invalidParams(message: string, data?: JsonValue): McpError {
  return new McpError(ErrorCode.InvalidParams, message, data === undefined ? {} : { data });
}

/** `-32021`: names exactly the capabilities that are missing (MCP basic "Capabilities"). */
export function missingCapability(message: string, requiredCapabilities: ClientCapabilities): McpError {
  return new McpError(ErrorCode.MissingRequiredClientCapability, message, {
    data: { requiredCapabilities: requiredCapabilities as unknown as JsonValue },
  });
}
