import { ErrorCode } from '../protocol/vocabulary.js';
import type { WireError } from '../protocol/messages.js';
import { describeThrown, readCause } from './thrown.js';
import { maskError, report, type MaskedSubject, type Masking } from './mask-error.js';
import { McpError } from './mcp.error.js';
import { normalError } from './normal-error.js';

/** How thrown values are turned into the client's view of them. */
export interface ErrorMapping extends Masking {
  /** Translates an error of the application's own; see `McpErrorTranslator`. Must not throw. */
  readonly translate?: (error: unknown) => unknown;
}

/** A JSON-RPC error and the HTTP status it has as a whole response. */
export interface MappedError {
  readonly error: WireError;
  readonly status: number;
}

/**
 * Turns every thrown value into its wire form (JSON-RPC 2.0 §5.1; MCP basic "Error codes"). An `McpError` is sent in
 * its normal form. Anything else, and an `McpError` without a normal form, is "Internal error" with an `errorId`,
 * under which its cause is logged once; no stack, path or message of it leaves.
 */
export function errorToJsonRpc(raised: unknown, mapping: ErrorMapping, method?: string): MappedError {
  const thrown = mapping.translate ? mapping.translate(raised) : raised;
  const read = readMcpError(thrown);
  if (!read || 'fault' in read) return internalError(thrown, mapping, { subject: method, why: read?.fault });
  const { leftOut } = read;
  if (leftOut !== undefined || readCause(thrown) !== undefined)
    report(mapping.log, { subject: method, why: leftOut, description: describeThrown(thrown), error: thrown });
  return { error: read.error, status: read.status };
}

type ReadError = { readonly fault: string } | { readonly error: WireError; readonly leftOut?: string; readonly status: number };

function readMcpError(thrown: unknown): ReadError | undefined {
  try {
    if (!(thrown instanceof McpError)) return undefined;
    const normal = normalError(thrown, 'protocol');
    if ('fault' in normal) return normal;
    const { httpStatus } = thrown;
    return { ...normal, status: isErrorStatus(httpStatus) ? httpStatus : errorToHttpStatus(normal.error.code) };
  } catch {
    // A getter or a Proxy trap threw: then it is not an error of ours, whatever it claims.
    return undefined;
  }
}

function internalError(thrown: unknown, mapping: ErrorMapping, masked: MaskedSubject): MappedError {
  const { message, errorId } = maskError(thrown, mapping, masked);
  return { error: { code: ErrorCode.InternalError, message, data: { errorId } }, status: errorToHttpStatus(ErrorCode.InternalError) };
}

function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
}

/**
 * The HTTP status of a JSON-RPC error sent as a whole response (MCP transports "Streamable HTTP"; once SSE has begun it is always 200).
 * `-32602` is 400 only when the envelope raised it, so its raiser says so by an explicit status.
 */
export function errorToHttpStatus(code: number): number {
  switch (code) {
    case ErrorCode.ParseError:
    case ErrorCode.InvalidRequest:
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
    case ErrorCode.UnsupportedProtocolVersion:
      return 400;
    case ErrorCode.MethodNotFound:
      return 404;
    default:
      return 200;
  }
}
