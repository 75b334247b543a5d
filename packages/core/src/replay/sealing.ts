import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The context to which sealed text is bound: it does not open with any other. Each part counts for itself, wherever the next begins. */
export type SealingContext = readonly string[];

/** Seals a text under a key of 32 bytes: `base64url(nonce | ciphertext | tag)`, AES-256-GCM with a random nonce. */
export function seal(text: string, key: Uint8Array, context: SealingContext): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(context));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** The text that `seal` made the sealed one of, under the same key and context; undefined for anything else. */
export function unseal(sealed: string, key: Uint8Array, context: SealingContext): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // Node's decoder skips junk and trailing bits; only the one canonical text of the bytes is taken.
  if (bytes.toString('base64url') !== sealed || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function additionalData(context: SealingContext): Buffer {
  // UTF-16 keeps lone surrogates apart, all of which UTF-8 would make one.
  const parts = context.map((part) => Buffer.from(part, 'utf16le'));
  return Buffer.concat(parts.flatMap((part) => [lengthPrefix(part.length), part]));
}

function lengthPrefix(length: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return prefix;
}
