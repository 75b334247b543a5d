import type { RoutingHeaders } from '../../dispatch/exchange.js';
import { Header, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS, ErrorCode } from '../../protocol/vocabulary.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.js';
import { claimsEnvelope } from '../reading/read-message.js';
import { classifyInboundRequest, type InboundLegacyRoute, OLDER_PROTOCOL_VERSIONS } from './official-legacy.js';
import { errorResponse, type RequestId, type ResponseMessage } from '../../protocol/messages.js';

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
    protocolVersionHeader: asText(headers[Header.ProtocolVersion]),
    mcpMethodHeader: asText(headers[Header.Method]),
  });
  return outcome.kind === 'legacy' ? outcome : undefined;
}

// Responses are no messages of this revision, whose refusal has no id; the older leg would give it a null one.
function isResponse(body: JsonValue): boolean {
  return isJsonObject(body) && body.method === undefined && (body.result !== undefined || body.error !== undefined);
}

function isOfNow(version: RoutingHeaders[string]): boolean {
  return typeof version === 'string' && version.trim() === PROTOCOL_VERSION;
}

function asText(value: RoutingHeaders[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Characters of a header that are sent back. */
const MAX_ECHO = 64;

/**
 * `-32022` (MCP basic "Versioning"): names the revisions that are served, as an older client has no other way to learn them, and the one
 * that was asked for if the request named one.
 */
export function unsupportedRevision(id: RequestId, requested: string | undefined): ResponseMessage {
  const supported = [...SUPPORTED_PROTOCOL_VERSIONS];
  return unsupported(id, requested === undefined ? { supported } : { supported, requested });
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
  return unsupported(id, { supported, requested: named.slice(0, MAX_ECHO) });
}

function unsupported(id: RequestId | undefined, data: JsonObject): ResponseMessage {
  return errorResponse(id, { code: ErrorCode.UnsupportedProtocolVersion, message: 'Unsupported protocol version', data });
}
