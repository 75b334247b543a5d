import { isUtf8 } from 'node:buffer';

const SENTINEL_PREFIX = '=?base64?';
const SENTINEL_SUFFIX = '?=';
const SPACE = 0x20;
const TAB = 0x09;

/**
 * The value of an `Mcp-Name` or `Mcp-Param-*` header (MCP transports "Value encoding"): whitespace around it stripped, the sentinel
 * `=?base64?…?=` decoded strictly. Without the whole of prefix and suffix, which are case-sensitive, a value is literal.
 *
 * @returns undefined when the value is malformed: not visible ASCII, not canonical base64, or not UTF-8 inside
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = stripOptionalWhitespace(raw);
  if (!isSentinel(value)) return isPlainAscii(value) ? value : undefined;
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
  while (start < end && isOptionalWhitespace(value.charCodeAt(start))) start++;
  while (end > start && isOptionalWhitespace(value.charCodeAt(end - 1))) end--;
  return start === 0 && end === value.length ? value : value.slice(start, end);
}

function isOptionalWhitespace(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isSentinel(value: string): boolean {
  return (
    value.length >= SENTINEL_PREFIX.length + SENTINEL_SUFFIX.length && value.startsWith(SENTINEL_PREFIX) && value.endsWith(SENTINEL_SUFFIX)
  );
}

function isPlainAscii(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}
