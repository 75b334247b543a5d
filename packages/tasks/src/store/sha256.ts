import { hash } from 'node:crypto';

/** The SHA-256 digest of the UTF-8 bytes of `text`, in base64url: in one call, which costs a quarter of what a `Hash` object does. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}
