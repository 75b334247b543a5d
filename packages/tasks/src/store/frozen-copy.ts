import { MAX_JSON_LEVELS, assertJson } from '@mocapi/core/internal';
import type { Tally } from './record-size.js';

/** Marks a value that is more than plain JSON: only the long way decides what it becomes, or why it is rejected. */
const UNUSUAL = Symbol('unusual');

/**
 * A deep-frozen copy of `value`, the same that a round trip through JSON would give, made in one walk. Its strings are its own.
 * @param name of the value, for the error
 * @param tally gets the size of the copy added
 * @throws NotJsonError naming the place that JSON can't hold without loss
 */
export function frozenCopy<T>(value: T, name: string, tally: Tally): T {
  const { json, memory } = tally;
  const copy = copied(value, tally, 0);
  if (copy !== UNUSUAL) return copy as T;
  tally.json = json;
  tally.memory = memory;
  assertJson(value, name);
  return copied(JSON.parse(JSON.stringify(value)), tally, 0) as T;
}

function copied(value: unknown, tally: Tally, depth: number): unknown {
  if (typeof value === 'string') {
    tally.addText(value);
    return ownText(value);
  }
  if (typeof value === 'object' && value !== null) {
    // A value that contains itself as well: `assertJson` reports it.
    if (depth >= MAX_JSON_LEVELS) return UNUSUAL;
    return Array.isArray(value) ? copiedArray(value, tally, depth) : copiedObject(value, tally, depth);
  }
  if (typeof value === 'number' ? !Number.isFinite(value) : typeof value !== 'boolean' && value !== null) return UNUSUAL;
  const { length } = String(value);
  tally.add(length, length);
  // JSON knows no negative zero.
  return value === 0 ? 0 : value;
}

function copiedObject(value: object, tally: Tally, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return UNUSUAL;
  // Assigned where that is the same: V8 would make a hidden class for each object that is spread and then frozen.
  const copy = (Object.hasOwn(value, '__proto__') ? { ...value } : Object.assign({}, value)) as Record<string, unknown>;
  if (Object.getOwnPropertySymbols(copy).length > 0) return UNUSUAL;
  const names = Object.keys(copy);
  tally.addHolder(names.length, false);
  for (const name of names) {
    tally.addName(name);
    const given = copy[name];
    const own = copied(given, tally, depth + 1);
    if (own === UNUSUAL) return UNUSUAL;
    if (own !== given || own === 0) copy[name] = own;
  }
  return Object.freeze(copy);
}

function copiedArray(value: readonly unknown[], tally: Tally, depth: number): unknown {
  if (Object.getPrototypeOf(value) !== Array.prototype) return UNUSUAL;
  const copy = value.slice();
  tally.addHolder(copy.length, true);
  for (let index = 0; index < copy.length; index++) {
    const own = copied(copy[index], tally, depth + 1);
    if (own === UNUSUAL) return UNUSUAL;
    copy[index] = own;
  }
  return Object.freeze(copy);
}

/** V8 never keeps a shorter string as a part of a longer one, nor as a rope of several. */
const MAY_BE_A_PART = 13;

const scratch = Buffer.allocUnsafeSlow(1024);

/** The same text, which lets go of the longer one that it was sliced from, and of the pieces that it was put together of. */
function ownText(text: string): string {
  if (text.length < MAY_BE_A_PART) return text;
  if (text.length > scratch.length || !ASCII.test(text)) return JSON.parse(JSON.stringify(text)) as string;
  return scratch.toString('latin1', 0, scratch.write(text, 'latin1'));
}

const ASCII = /^[\0-\x7F]*$/;
