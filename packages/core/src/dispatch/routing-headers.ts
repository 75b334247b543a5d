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

/** A header that repeats a value of the body as it is. */
interface PlainHeader {
  readonly key: string;
  /** As the client should write it. */
  readonly name: string;
  /** The value of the body, in words. */
  readonly repeats: string;
}

/**
 * The header names the body's revision (MCP transports "Protocol version header"). It comes before the question whether that revision
 * is served: a proxy that routes by the header must never disagree with the body.
 */
export const REVISION_HEADER: PlainHeader = { key: Header.ProtocolVersion, name: 'MCP-Protocol-Version', repeats: 'protocol version' };

/** `Mcp-Method` repeats the method; its value is case-sensitive (MCP transports "Standard request headers"). */
export const METHOD_HEADER: PlainHeader = { key: Header.Method, name: 'Mcp-Method', repeats: 'method' };

/** Checks that a header is there and repeats `value`, whitespace around it aside. @throws McpError -32020 */
export function checkPlainHeader(headers: RoutingHeaders, { key, name, repeats }: PlainHeader, value: string): void {
  const raw = headers[key];
  if (raw === value) return;
  if (raw === undefined) throw headerMismatch(name, 'is missing');
  if (typeof raw !== 'string') throw sentTwice(name);
  if (stripOptionalWhitespace(raw) !== value) throw headerMismatch(name, `does not agree with the ${repeats} in the body`);
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
  if (inHeader !== undefined && typeof inBody === 'string') checkPlainHeader(headers, REVISION_HEADER, inBody);
  const revision = typeof inBody === 'string' ? inBody : inHeader;
  if (typeof revision === 'string' && !isOlder(revision)) negotiateVersion(revision.trim());
  if (headers[Header.Method] !== undefined) checkPlainHeader(headers, METHOD_HEADER, method);
}

/** Revisions are dates, so that they compare as text. */
function isOlder(revision: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision < PROTOCOL_VERSION;
}
