import type { ContentBlock } from '../protocol/official.js';
import { hasBrand } from './thrown.js';

const BRAND = Symbol.for('@mocapi/core:McpToolError');

/** Further data about a failure that a tool may send to the model. */
export interface McpToolErrorOptions {
  /** Blocks that follow the message's own text block. */
  readonly content?: readonly ContentBlock[];
  /** Any JSON value; sent as `structuredContent`. */
  readonly structuredContent?: unknown;
  /** Never sent; logged. */
  readonly cause?: unknown;
}

/** A failure of a tool that the model should read: its message becomes an `isError` result (MCP server/tools "Error handling"). */
export class McpToolError extends Error {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;

  constructor(message: string, options: McpToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'McpToolError';
    if (options.content !== undefined) this.content = options.content;
    if (options.structuredContent !== undefined) this.structuredContent = options.structuredContent;
  }

  get [BRAND](): true {
    return true;
  }

  /** True for every McpToolError, whichever copy of this package made it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, BRAND);
  }
}
