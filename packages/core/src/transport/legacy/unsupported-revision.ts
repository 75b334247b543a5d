import { ErrorCode } from '../../protocol/error-codes.js';
import type { RequestId, ResponseMessage } from '../../protocol/messages.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '../../protocol/protocol-version.js';
import { OLDER_PROTOCOL_VERSIONS } from './official-legacy.js';

/** Characters of a header that are sent back. */
const MAX_ECHO = 64;

/**
 * `-32022` (MCP basic "Versioning"): names the revisions that are served, as an older client has no other way to learn them, and the one
 * that was asked for if the request named one.
 */
export function unsupportedRevision(id: RequestId, requested: string | undefined): ResponseMessage {
  const data = { supported: [...SUPPORTED_PROTOCOL_VERSIONS], ...(requested !== undefined && { requested }) };
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.UnsupportedProtocolVersion, message: 'Unsupported protocol version', data } };
}

/**
 * The same for a header that names an unknown revision, if revisions before 2026-07-28 are served too: 400, whatever
 * the method, `initialize` included (MCP 2025-11-25 transports "Protocol Version Header"). A header of 2026-07-28 is
 * left to the checks of that revision.
 * @returns undefined if the revision is known
 */
export function unknownRevision(id: RequestId | undefined, named: string): ResponseMessage | undefined {
  const supported = [...SUPPORTED_PROTOCOL_VERSIONS, ...OLDER_PROTOCOL_VERSIONS];
  if (supported.includes(named)) return undefined;
  const data = { supported, requested: named.slice(0, MAX_ECHO) };
  const error = { code: ErrorCode.UnsupportedProtocolVersion, message: 'Unsupported protocol version', data };
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error };
}
