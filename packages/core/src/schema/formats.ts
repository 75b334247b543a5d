import type { Ajv2020, Format } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Longer strings have none of the formats that are short by nature. */
export const MAX_SHORT_FORMAT = 1_024;
const SHORT = ['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'];
/** Longer strings are not a `regex`, which is checked by compiling it. */
export const MAX_REGEX_LENGTH = 65_536;

/** Adds the formats of ajv-formats, with those replaced that a long text of a client's could make slow. All that are left are linear. */
export function useBoundedFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  for (const name of SHORT) ajv.addFormat(name, bounded(ajv.formats[name]!, MAX_SHORT_FORMAT));
  ajv.addFormat('regex', bounded(ajv.formats['regex']!, MAX_REGEX_LENGTH));
  // ajv-formats also lets `urn:uuid:...` through, which RFC 4122 has as a URN, not as a UUID.
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('url', isUrl);
}

/** `date-time` splits its text at every space; other checks also do little with a short text. */
function bounded(format: Format, max: number): Format {
  const check = typeof format === 'object' && !(format instanceof RegExp) ? format.validate : format;
  const fits = check instanceof RegExp ? (text: string) => check.test(text) : (check as (text: string) => boolean);
  const validate = (text: string): boolean => text.length <= max && fits(text);
  return typeof format === 'object' && !(format instanceof RegExp) ? ({ ...format, validate } as Format) : validate;
}

const SCHEME = /^(?:https?|ftp):\/\//i;
/** The part before the path, without a user: an address outside of the private ranges or a name with a top-level domain, and a port. */
const AUTHORITY =
  /^(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?$/iu;
/** A name of the DNS has 253 characters at most, a port six. */
const MAX_AUTHORITY = 259;

/**
 * Accepts the URLs that the regular expression of ajv-formats accepts, in one pass; that expression tries each colon as
 * the end of a user's name with each `@` as the end of the password. There, as here, `@` and `/` may stand in either.
 */
function isUrl(text: string): boolean {
  const scheme = SCHEME.exec(text);
  if (scheme === null || /\s/.test(text)) return false;
  const first = scheme[0].length;
  for (let start = first; ;) {
    const end = endOfAuthority(text, start);
    if (text[end] !== '@' && end - start <= MAX_AUTHORITY && AUTHORITY.test(text.slice(start, end))) return true;
    const at = text.indexOf('@', start === first ? first + 1 : start);
    if (at === -1) return false;
    start = at + 1;
  }
}

function endOfAuthority(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '/' && text[end] !== '@') end++;
  return end;
}
