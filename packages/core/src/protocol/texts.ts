const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const NOT_IN_URI = /[\s\p{Cc}]/u;

/** Whether `text` begins with the scheme of a URI (RFC 3986 §3.1). */
export function hasScheme(text: string): boolean {
  return SCHEME.test(text);
}

/** Whether `text` has the form of an absolute URI (RFC 3986 §4.3): a scheme, and neither white space nor control characters. Non-ASCII letters are let through, as in IRIs. */
export function isAbsoluteUri(text: string): boolean {
  return hasScheme(text) && !NOT_IN_URI.test(text) && text.isWellFormed();
}

/** A URI as it is sent: characters beyond ASCII are percent-encoded as UTF-8 (RFC 3987 §3.1), the rest is unchanged. */
export function toAsciiUri(uri: string): string {
  return uri.replace(/[^\p{ASCII}]+/gu, encodeURIComponent);
}

// Control characters of C0 and C1, the line separators of Unicode, and the characters that change the direction of text.
const NOT_IN_LOG = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A client's text, made safe for a log line: characters that would begin a new line, or change the terminal or the
 * order of the text, are escaped (CWE-117), and everything beyond `max` characters is left out.
 */
export function loggable(text: string, max = 256): string {
  const shown = text.length > max ? `${text.slice(0, max)}…` : text;
  return shown.replace(NOT_IN_LOG, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
