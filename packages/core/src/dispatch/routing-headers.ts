import { isUtf8 } from 'node:buffer';
import { McpError } from '../errors/mcp.error.js';
import { ErrorCode, Header, PROTOCOL_VERSION } from '../protocol/vocabulary.js';
import { type JsonObject, isJsonObject } from '../protocol/json.js';
import type { RoutingHeaders } from './exchange.js';
import type { RoutedParam } from './routed-param-table.js';
import { negotiateVersion } from '../envelope/negotiate-version.js';
import type { NotificationMessage } from '../protocol/messages.js';
import { PROTOCOL_VERSION_META_KEY } from '../protocol/official.js';

const SENTINEL_PREFIX = '=?base64?';
const SENTINEL_SUFFIX = '?=';
const OPTIONAL_WHITESPACE = ' \t';
const PLAIN_ASCII = /^[\t\x20-\x7e]*$/;
/** Names that a header holds as they are: no whitespace to strip, nothing to decode. */
const VERBATIM = /^[\w.:/-]+$/;

/**
 * The header names the body's revision (MCP transports "Protocol version header"). It comes before the question whether that revision
 * is served: a proxy that routes by the header must never disagree with the body.
 */
export function checkRevisionHeader(headers: RoutingHeaders, protocolVersion: string): void {
  if (headers[Header.ProtocolVersion] === protocolVersion) return;
  if (readPlain(headers, Header.ProtocolVersion, 'MCP-Protocol-Version') === protocolVersion) return;
  throw headerMismatch('MCP-Protocol-Version', 'does not agree with the protocol version in the body');
}

/** `Mcp-Method` repeats the method; its value is case-sensitive (MCP transports "Standard request headers"). */
export function checkMethodHeader(headers: RoutingHeaders, method: string): void {
  if (headers[Header.Method] === method || readPlain(headers, Header.Method, 'Mcp-Method') === method) return;
  throw headerMismatch('Mcp-Method', 'does not agree with the method in the body');
}

/**
 * `Mcp-Name` repeats the param that the method's row names. A method without a row ignores the header. Where the body has no such param
 * there is nothing to repeat, and the method itself says what it misses.
 */
export function checkNameHeader(headers: RoutingHeaders, row: RoutedParam | undefined, params: JsonObject): void {
  const raw = headers[Header.Name];
  if (raw !== undefined && typeof raw !== 'string') throw sentTwice('Mcp-Name');
  if (row === undefined) return;
  const value = params[row.param];
  if (raw === undefined) {
    if (row.presence === 'required' && typeof value === 'string')
      throw headerMismatch('Mcp-Name', `is missing, and must repeat "${row.param}" of the body`);
    return;
  }
  if (raw === value && VERBATIM.test(raw)) return;
  const name = decodeHeaderValue(raw);
  if (name === undefined) throw headerMismatch('Mcp-Name', 'is malformed');
  if (name !== value) throw headerMismatch('Mcp-Name', `does not agree with "${row.param}" in the body`);
}

/** `-32020`, which names the header as the client should write it. */
export function headerMismatch(header: string, problem: string): McpError {
  return new McpError(ErrorCode.HeaderMismatch, `The ${header} header ${problem}`, { data: { header } });
}

function readPlain(headers: RoutingHeaders, key: string, header: string): string {
  const raw = headers[key];
  if (raw === undefined) throw headerMismatch(header, 'is missing');
  if (typeof raw !== 'string') throw sentTwice(header);
  return stripOptionalWhitespace(raw);
}

function sentTwice(header: string): McpError {
  return headerMismatch(header, 'was sent more than once');
}

/**
 * The value of an `Mcp-Name` or `Mcp-Param-*` header (MCP transports "Value encoding"): whitespace around it stripped, the sentinel
 * `=?base64?…?=` decoded strictly. Without the whole of prefix and suffix, which are case-sensitive, a value is literal.
 *
 * @returns undefined when the value is malformed: not visible ASCII, not canonical base64, or not UTF-8 inside
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = stripOptionalWhitespace(raw);
  const isEncoded =
    value.length >= SENTINEL_PREFIX.length + SENTINEL_SUFFIX.length && value.startsWith(SENTINEL_PREFIX) && value.endsWith(SENTINEL_SUFFIX);
  if (!isEncoded) return PLAIN_ASCII.test(value) ? value : undefined;
  const encoded = value.slice(SENTINEL_PREFIX.length, -SENTINEL_SUFFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips what is not base64 and needs no padding, so only a value that encodes back to itself was well-formed.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}

/** Strips the optional whitespace around a header value (RFC 9110 §5.5): spaces and tabs, nothing else. */
export function stripOptionalWhitespace(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && OPTIONAL_WHITESPACE.includes(value[start]!)) start++;
  while (end > start && OPTIONAL_WHITESPACE.includes(value[end - 1]!)) end--;
  return start === 0 && end === value.length ? value : value.slice(start, end);
}

/**
 * Checks the headers of a posted notification (MCP transports "Protocol version header"). The revision does not say
 * which of them are required, so none is; those that are present must agree with the body and name a supported
 * revision. Those of older clients are dropped.
 * @throws McpError -32020 or -32022
 */
export function checkNotificationHeaders({ method, params }: NotificationMessage, headers: RoutingHeaders): void {
  const inHeader = headers[Header.ProtocolVersion];
  const meta = isJsonObject(params?._meta) ? params._meta : {};
  const inBody = meta[PROTOCOL_VERSION_META_KEY];
  if (inHeader !== undefined && typeof inBody === 'string') checkRevisionHeader(headers, inBody);
  const revision = typeof inBody === 'string' ? inBody : inHeader;
  if (typeof revision === 'string' && !isOlder(revision)) negotiateVersion(revision.trim());
  if (headers[Header.Method] !== undefined) checkMethodHeader(headers, method);
}

/** Revisions are dates, so that they compare as text. */
function isOlder(revision: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision < PROTOCOL_VERSION;
}
