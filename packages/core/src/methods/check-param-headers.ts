import type { RoutingHeaders } from '../dispatch/exchange.js';
import { decodeHeaderValue, headerMismatch } from '../dispatch/routing-headers.js';
import { valueAt } from '../discovery/declare-param-headers.js';
import type { ToolDefinition } from '../discovery/handler-definition.js';
import type { ParamHeader } from '../discovery/param-headers.js';
import { Header } from '../protocol/vocabulary.js';
import type { JsonObject } from '../protocol/json.js';

/** A decimal number; leading zeros do not change it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The `Mcp-Param-*` headers that the tool declares repeat its arguments (MCP transports "Server behavior for custom headers"): each is there
 * if and only if the body has a value, and agrees with it. A header that no argument declares is ignored. A proxy may have routed or limited the call
 * by them, so one that lies is as bad as one that is missing.
 *
 * @param headers undefined on a transport that has none, where nothing is checked
 * @throws McpError -32020
 */
export function checkParamHeaders(headers: RoutingHeaders | undefined, { paramHeaders }: ToolDefinition, args: JsonObject): void {
  if (headers === undefined) return;
  for (const declared of paramHeaders) checkHeader(headers[Header.ParamPrefix + declared.header.toLowerCase()], declared, args);
}

function checkHeader(raw: RoutingHeaders[string], declared: ParamHeader, args: JsonObject): void {
  const name = `Mcp-Param-${declared.header}`;
  const value = valueAt(args, declared.path);
  if (raw === undefined) {
    if (isRepeatable(value)) throw headerMismatch(name, `is missing, and "${declared.path.join('.')}" has a value in the body`);
    return;
  }
  if (typeof raw !== 'string') throw headerMismatch(name, 'was sent more than once');
  const text = decodeHeaderValue(raw);
  if (text === undefined) throw headerMismatch(name, 'is malformed');
  if (!agrees(text, value)) throw headerMismatch(name, `does not agree with "${declared.path.join('.')}" in the body`);
}

/**
 * True for a value that clients repeat in a header. An integer that they can't count exactly they leave out, and the
 * argument itself is refused later.
 */
function isRepeatable(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

function agrees(text: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return text === value;
    case 'boolean':
      return text === String(value);
    case 'number':
      return NUMBER.test(text) && Number(text) === value;
    default:
      return false;
  }
}
