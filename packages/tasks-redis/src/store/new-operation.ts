import { randomFillSync } from 'node:crypto';

const BYTES = 12;
/** Random bytes in stock: asking for few costs as much as asking for many. */
const stock = Buffer.alloc(BYTES * 256);
let used = stock.length;

/** The id of a write, so that it is known again when it is sent a second time: 16 characters that no other write has. */
export function newOperation(): string {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += BYTES;
  return stock.toString('base64url', used - BYTES, used);
}
