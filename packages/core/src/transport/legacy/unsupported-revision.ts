import { ErrorCode } from '../../protocol/error-codes.js';
import type { RequestId, ResponseMessage } from '../../protocol/messages.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '../../protocol/protocol-version.js';

/**
 * `-32022` (MCP basic "Versioning"): names the revisions that are served, as an older client has no other way to learn them, and the one
 * that was asked for if the request named one.
 */
export function unsupportedRevision(id: RequestId, requested: string | undefined): ResponseMessage {
  const data = { supported: [...SUPPORTED_PROTOCOL_VERSIONS], ...(requested !== undefined && { requested }) };
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.UnsupportedProtocolVersion, message: 'Unsupported protocol version', data } };
}
