import type { RoutingHeaders } from '../../dispatch/exchange.js';
import { Header } from '../../protocol/header-names.js';
import { isJsonObject, type JsonValue } from '../../protocol/json.js';
import { PROTOCOL_VERSION_META_KEY } from '../../protocol/official.js';
import { PROTOCOL_VERSION } from '../../protocol/protocol-version.js';
import { classifyInboundRequest, type InboundLegacyRoute } from './official-legacy.js';

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
