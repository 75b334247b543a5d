import type { JsonObject, JsonValue } from './json.js';

/** A detached copy of a plain value. */
export interface PlainCopy {
  readonly value: JsonValue;
  /** About as many as the characters of its JSON text: escapes are not counted, and long numbers not exactly. */
  readonly size: number;
}

const NOT_PLAIN = Symbol('not plain');

type Copied = JsonValue | typeof NOT_PLAIN;

/** Writing a number costs as much as copying twenty, so longer ones count as if they had as many characters as this. */
const LONG_NUMBER = 6;

/** Counts while one value is copied. */
let size = 0;

/**
 * Copies a value that is plain JSON as it stands: object literals, arrays, texts, finite numbers, booleans and null; a member that is `undefined` is left out.
 * The copy equals what `JSON.parse(JSON.stringify(value))` gives, in one walk.
 * @param levels how deep it may nest
 * @returns undefined for anything else, which needs a closer look. @throws what a getter of the value throws
 */
export function plainCopy(value: unknown, levels: number): PlainCopy | undefined {
  size = 0;
  const copy = copyOf(value, levels);
  return copy === NOT_PLAIN ? undefined : { value: copy, size };
}

function copyOf(value: unknown, levels: number): Copied {
  switch (typeof value) {
    case 'string':
      size += value.length + 2;
      return value;
    case 'number':
      if (!Number.isFinite(value)) return NOT_PLAIN;
      size += digitsOf(value);
      // JSON has no negative zero.
      return value === 0 ? 0 : value;
    case 'boolean':
      size += value ? 4 : 5;
      return value;
    case 'object':
      if (value !== null) return Array.isArray(value) ? copyItems(value, levels) : copyMembers(value as Record<string, unknown>, levels);
      size += 4;
      return null;
    default:
      return NOT_PLAIN;
  }
}

function copyItems(items: readonly unknown[], levels: number): Copied {
  if (levels === 0 || Object.getPrototypeOf(items) !== Array.prototype || 'toJSON' in items) return NOT_PLAIN;
  const symbols = Object.getOwnPropertySymbols(items);
  if (symbols.length > 0 && hasMembers(items, symbols)) return NOT_PLAIN;
  const { length } = items;
  size += length + 1;
  const copy: JsonValue[] = [];
  // By index: a hole is to be seen as the undefined it reads as.
  for (let index = 0; index < length; index += 1) {
    const item = copyOf(items[index], levels - 1);
    if (item === NOT_PLAIN) return NOT_PLAIN;
    copy.push(item);
  }
  return copy;
}

function copyMembers(members: Readonly<Record<string, unknown>>, levels: number): Copied {
  const prototype: unknown = Object.getPrototypeOf(members);
  if (levels === 0 || (prototype !== Object.prototype && prototype !== null) || typeof members.toJSON === 'function') return NOT_PLAIN;
  const symbols = Object.getOwnPropertySymbols(members);
  if (symbols.length > 0 && hasMembers(members, symbols)) return NOT_PLAIN;
  const copy: JsonObject = {};
  size += 2;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === undefined) continue;
    // An assignment would set the prototype.
    if (name === '__proto__') return NOT_PLAIN;
    const copied = copyOf(member, levels - 1);
    if (copied === NOT_PLAIN) return NOT_PLAIN;
    copy[name] = copied;
    size += name.length + 4;
  }
  return copy;
}

/** Whether one of these symbols is a member, which JSON does not know. */
function hasMembers(value: object, symbols: readonly symbol[]): boolean {
  return symbols.some((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol));
}

function digitsOf(value: number): number {
  if (value >= 0 && value < 100 && Number.isInteger(value)) return value < 10 ? 1 : 2;
  return LONG_NUMBER;
}
