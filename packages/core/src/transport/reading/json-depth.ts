import type { JsonBounds } from '../../protocol/json.js';

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
export function jsonShapeProblem(bytes: Uint8Array, { maxJsonDepth, maxJsonObjects }: JsonBounds): string | undefined {
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

// The index of the closing quote, or the end when there is none, which the parser then says.
function endOfString(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) index++;
  }
  return bytes.length;
}
