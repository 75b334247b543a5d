import { isJsonObject, type JsonBounds } from '../../protocol/json.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Finds a problem in the shape of a message: arrays and objects nest too deep, or there are too many of them. It reads
 * the bytes before anything is parsed: `JSON.parse` survives half a million levels, but later steps (`JSON.stringify`,
 * `structuredClone`, a schema's validator) overflow the stack at a few thousand. Bytes of a multi-byte UTF-8 character
 * never equal those of a bracket or a quote, so the text needs no decoding.
 */
export function shapeProblem(bytes: Uint8Array, { maxJsonDepth, maxJsonObjects }: JsonBounds): string | undefined {
  let depth = 0;
  let objects = 0;
  for (let index = 0; index < bytes.length; index++) {
    switch (bytes[index]) {
      case QUOTE:
        index = endOfString(bytes, index);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > maxJsonDepth) return `nests deeper than ${maxJsonDepth} levels`;
        if (++objects > maxJsonObjects) return `has more than ${maxJsonObjects} objects and arrays: send fewer at once`;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
  return undefined;
}

/** Bytes of a string that are read one by one, before a search that costs a call. */
const NEAR = 64;

// The index of the closing quote, or the end when there is none, which the parser then says.
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length) {
    for (const near = Math.min(index + NEAR, bytes.length); index < near; index++) {
      const byte = bytes[index];
      if (byte === QUOTE) return index;
      if (byte === BACKSLASH) index++;
    }
    const quote = bytes.indexOf(QUOTE, index);
    if (quote === -1) return bytes.length;
    let escapes = quote;
    while (escapes > index && bytes[escapes - 1] === BACKSLASH) escapes--;
    // Two backslashes are one that is text.
    if ((quote - escapes) % 2 === 0) return quote;
    index = quote + 1;
  }
  return bytes.length;
}

// An escape that can spell a letter of the keys below, \u005f to \u007a. Text without these three cannot hold such a key.
const ESCAPED_LETTER = /\\u00[567]/;

/** An exponent of three digits, leading zeros or not. A number without one, and with less than 200 digits, is below 1e300. */
const LARGE_EXPONENT = /\d[eE]\+?\d{3}/;

/**
 * Finds content that no message may have, whatever its shape: a key that pollutes prototypes when someone merges objects carelessly
 * (CWE-1321), or a number beyond a double (`1e400`), of which JSON can't be made again. Most texts cannot hold either, and their
 * value is not walked.
 *
 * @param value what `text` was parsed into
 */
export function contentProblem(text: string, value: unknown): string | undefined {
  const isSuspect =
    text.includes('__proto__') ||
    text.includes('constructor') ||
    // Most texts have no escape at all, which is found faster than that they have none of these.
    (text.includes('\\') && ESCAPED_LETTER.test(text)) ||
    LARGE_EXPONENT.test(text) ||
    holdsDigits(text);
  return isSuspect ? problemIn(value) : undefined;
}

function problemIn(value: unknown): string | undefined {
  let problem: string | undefined;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === Infinity || next === -Infinity) problem = 'a number is too large';
    if (typeof next !== 'object' || next === null) continue;
    if (isJsonObject(next) && holdsForbiddenKey(next)) return 'a key is forbidden';
    for (const member of Object.values(next)) open.push(member);
  }
  return problem;
}

/** Whether it has an own `__proto__` key, or a `constructor` that is an object with its own `prototype`. */
function holdsForbiddenKey(object: object): boolean {
  if (Object.hasOwn(object, '__proto__')) return true;
  if (!Object.hasOwn(object, 'constructor')) return false;
  const { constructor }: { readonly constructor: unknown } = object;
  return isJsonObject(constructor) && Object.hasOwn(constructor, 'prototype');
}

const ZERO = 0x30;
const NINE = 0x39;
const BLOCK = 100;

/** Whether one of the blocks that text is cut into is all digits: each run of 200 digits has such a block, and each block is read once. */
function holdsDigits(text: string): boolean {
  for (let start = 0; start + BLOCK <= text.length; start += BLOCK) {
    let at = start;
    while (at < start + BLOCK && text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
    if (at === start + BLOCK) return true;
  }
  return false;
}
