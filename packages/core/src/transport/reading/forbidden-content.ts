import { isJsonObject } from '../../protocol/json.js';

// An escape that can spell a letter of the names below, \u005f to \u007a. Text without these three cannot hold such a key.
const ESCAPED_LETTER = /\\u00[567]/;

/**
 * Whether JSON text could hold a key that pollutes prototypes when someone merges objects carelessly (CWE-1321). Most texts cannot, so
 * their parsed value need not be walked.
 */
export function mayHoldForbiddenKey(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || ESCAPED_LETTER.test(text);
}

/** Whether a parsed value has, at any depth, an own `__proto__` key, or a `constructor` that is an object with its own `prototype`. */
export function holdsForbiddenKey(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isJsonObject(next) && isForbidden(next)) return true;
    for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

function isForbidden(object: object): boolean {
  if (Object.hasOwn(object, '__proto__')) return true;
  if (!Object.hasOwn(object, 'constructor')) return false;
  const { constructor }: { readonly constructor: unknown } = object;
  return isJsonObject(constructor) && Object.hasOwn(constructor, 'prototype');
}

const ZERO = 0x30;
const NINE = 0x39;
const BLOCK = 100;
/** An exponent of three digits, leading zeros or not. A number without one, and with less than 200 digits, is below 1e300. */
const LARGE_EXPONENT = /\d[eE]\+?\d{3}/;

/** Whether JSON text could hold a number beyond a double (`1e400`). Most texts cannot, so their parsed value need not be walked. */
export function mayHoldHugeNumber(text: string): boolean {
  return LARGE_EXPONENT.test(text) || holdsDigits(text);
}

/** Whether a parsed value holds, at any depth, a number that JSON.parse has made an infinity, which JSON can't be made of again. */
export function holdsInfinity(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === Infinity || next === -Infinity) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

/** Whether one of the blocks that text is cut into is all digits: each run of 200 digits has such a block, and each block is read once. */
function holdsDigits(text: string): boolean {
  for (let start = 0; start + BLOCK <= text.length; start += BLOCK) {
    let at = start;
    while (at < start + BLOCK && text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
    if (at === start + BLOCK) return true;
  }
  return false;
}
