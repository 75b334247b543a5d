import { randomFillSync } from 'node:crypto';

/** Bytes of one text. */
const BYTES = 32;
/** Texts that one call of the random source is good for: the call costs far more than the bytes. */
const TEXTS = 128;

// Not from Node's shared pool of small buffers, which other code could be given a part of.
const pool = Buffer.allocUnsafeSlow(BYTES * TEXTS);
let next = pool.length;

/** 32 random bytes that nobody can guess, as 43 characters of base64url. Each byte is used once, and is gone from memory then. */
export function randomText(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const end = next + BYTES;
  const text = pool.toString('base64url', next, end);
  pool.fill(0, next, end);
  next = end;
  return text;
}
