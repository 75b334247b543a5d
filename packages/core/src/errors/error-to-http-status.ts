import { ErrorCode } from '../protocol/error-codes.js';

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
