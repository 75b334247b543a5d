import { ErrorCode } from '../protocol/error-codes.js';
import { McpError } from './mcp.error.js';

/**
 * The one form in which a limit refuses a request that may succeed later: -32603 with `data.retryAfterMs`, and over HTTP 429 with `Retry-After` where it is
 * the whole answer. Also where the server as a whole is full: a 503 would tell a balancer that the node is down, so that one flood takes node after node away.
 */
export class McpLimitError extends McpError {
  /** @param retryAfterMs whole milliseconds, above 0 */
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(ErrorCode.InternalError, message, { data: { retryAfterMs }, httpStatus: 429 });
  }
}
