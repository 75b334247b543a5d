import { isWellFormed } from './well-formed.js';

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const UNSAFE = /[\s\p{Cc}]/u;

/** Whether `text` has the form of an absolute URI (RFC 3986 §4.3): a scheme, and neither white space nor control characters. Non-ASCII letters are let through, as in IRIs. */
export function isAbsoluteUri(text: string): boolean {
  return SCHEME.test(text) && !UNSAFE.test(text) && isWellFormed(text);
}

/** A URI as it is sent: characters beyond ASCII are percent-encoded as UTF-8 (RFC 3987 §3.1), the rest is unchanged. */
export function toAsciiUri(uri: string): string {
  return uri.replace(/[^\p{ASCII}]+/gu, encodeURIComponent);
}
