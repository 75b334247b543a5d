import type { RoutingHeaders } from '../../dispatch/exchange.js';
import { Header, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS, ErrorCode } from '../../protocol/vocabulary.js';
import { isJsonObject, type JsonValue } from '../../protocol/json.js';
import { PROTOCOL_VERSION_META_KEY } from '../../protocol/official.js';
import { classifyInboundRequest, type InboundLegacyRoute, OLDER_PROTOCOL_VERSIONS } from './official-legacy.js';
import type { RequestId, ResponseMessage } from '../../protocol/messages.js';

/**
 * Whether a message belongs to a revision before 2026-07-28 (MCP basic "Versioning"): the body decides, the header only where the body
 * says nothing. What belongs to neither is left to the reader of messages, which words the refusal.
 *
 * @returns undefined when it does not
 */
export function legacyRoute(body: JsonValue, headers: RoutingHeaders): InboundLegacyRoute | undefined {
  if (claimsEnvelope(body) || (isResponse(body) && isOfNow(headers[Header.ProtocolVersion]))) return undefined;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...asText('protocolVersionHeader', headers[Header.ProtocolVersion]),
    ...asText('mcpMethodHeader', headers[Header.Method]),
  });
  return outcome.kind === 'legacy' ? outcome : undefined;
}

// Nearly every request has its envelope. Only `initialize` is looked at further: half an envelope does not make it a modern one.
function claimsEnvelope(body: JsonValue): boolean {
  if (!isJsonObject(body) || body.method === 'initialize' || typeof body.method !== 'string') return false;
  const { params } = body;
  return isJsonObject(params) && isJsonObject(params._meta) && params._meta[PROTOCOL_VERSION_META_KEY] !== undefined;
}

// Responses are no messages of this revision, whose refusal has no id; the older leg would give it a null one.
function isResponse(body: JsonValue): boolean {
  return isJsonObject(body) && body.method === undefined && (body.result !== undefined || body.error !== undefined);
}

function isOfNow(version: RoutingHeaders[string]): boolean {
  return typeof version === 'string' && version.trim() === PROTOCOL_VERSION;
}

function asText<Key extends string>(key: Key, value: string | readonly string[] | undefined): { [K in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { [K in Key]?: string }) : {};
}

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
