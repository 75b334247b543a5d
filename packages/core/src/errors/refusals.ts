import { ErrorCode } from '../protocol/vocabulary.js';
import { McpError } from './mcp.error.js';

/**
 * A limit refuses a request that may succeed later: -32603 with `data.retryAfterMs`, and over HTTP 429 with
 * `Retry-After` if it is the whole answer. A server that is full answers the same: a 503
 * would tell a balancer that the node is down, so that one flood would take out node after node.
 */
export class McpLimitError extends McpError {
  /** Whole milliseconds, above 0. */
  readonly retryAfterMs: number;

  /** @param retryAfterMs milliseconds; rounded up to whole ones, and 1 if it is no number above 0 */
  constructor(message: string, retryAfterMs: number) {
    const whole = wholeMs(retryAfterMs);
    super(ErrorCode.InternalError, message, { data: { retryAfterMs: whole }, httpStatus: 429 });
    this.retryAfterMs = whole;
  }
}

/** Makes a computed time fit for the wire: it may be a fraction, already over, or not a number. */
function wholeMs(ms: number): number {
  return ms > 0 ? Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER) : 1;
}

const refusals = new WeakSet<object>();

/** Marks an error as a refusal of the guards of the endpoint: it is the whole answer, with its HTTP status, to clients of every revision. @returns the same error */
export function entranceRefusal(error: McpError): McpError {
  refusals.add(error);
  return error;
}

/** Whether an error was marked by {@link entranceRefusal}. */
export function isEntranceRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && refusals.has(error);
}
