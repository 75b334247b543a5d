import { messageOf } from '../errors/thrown.js';
import { BYTES_ADVICE, isBytes } from '../protocol/bytes.js';
import { MAX_JSON_LEVELS, isJsonObject, type JsonValue } from '../protocol/json.js';
import { plainCopy } from '../protocol/plain-copy.js';

/** How deep a value may nest: far beyond any argument, far below what would exhaust the stack of a recursive schema. */
export const MAX_VALUE_DEPTH = 128;

/** A copy in plain JSON with the length of its text, or the reason why there is none. */
export type JsonCopy =
  { readonly ok: true; readonly value: JsonValue | undefined; readonly size: number } | { readonly ok: false; readonly problem: string };

/**
 * Copies a value as its JSON text would, so that the copy is what a client would read: dates are strings,
 * `toJSON` is honoured, `undefined` members are gone. An own `__proto__` key stays a key: JSON.parse
 * defines it as data and never touches a prototype.
 */
export function copyJson(value: unknown): JsonCopy {
  try {
    const plain = plainCopy(value, MAX_VALUE_DEPTH);
    if (plain) return { ok: true, ...plain };
    const text = jsonText(value);
    // JSON.stringify writes `null` for a number that JSON has no word for.
    if (text?.includes('null') === true) JSON.stringify(value, refuseNonFinite);
    if (text !== undefined && LIKE_BYTES.test(text)) JSON.stringify(value, refuseBytes);
    if (text === undefined) return { ok: true, value: undefined, size: 0 };
    const copy: JsonValue = JSON.parse(text);
    if (isDeeper(copy, MAX_VALUE_DEPTH)) return { ok: false, problem: `is nested deeper than ${MAX_VALUE_DEPTH} levels` };
    return { ok: true, value: copy, size: text.length };
  } catch (error) {
    return { ok: false, problem: `can't be written as JSON (${firstLine(error)})` };
  }
}

/** The JSON text of a value; undefined if it has none, such as a function. @throws what `JSON.stringify` throws */
export function jsonText(value: unknown): string | undefined {
  return JSON.stringify(value);
}

function refuseNonFinite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} at ${JSON.stringify(key.slice(0, 60))}`);
  return value;
}

/** The text of a `Buffer`, of a typed array, or of an `ArrayBuffer`; or of what only looks like it. */
const LIKE_BYTES = /"type":"Buffer"|\{"0":|\{\}/;

/** JSON.stringify passes what `toJSON` made of the value; the object that holds it has the value itself. */
function refuseBytes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const held = this[key];
  if (isBytes(held)) throw new TypeError(`${held.constructor.name} at ${JSON.stringify(key.slice(0, 20))}: ${BYTES_ADVICE}`);
  return value;
}

/** Freezes a JSON value and everything in it. */
export function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/**
 * Whether a value is a plain object, one of another realm (a worker, a vm) included: the prototype of its prototype is
 * null.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(left, right);
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}

function sameItems(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function firstLine(error: unknown): string {
  // V8 says "Converting circular structure to JSON" and then draws the circle over several lines.
  return messageOf(error).split('\n', 1)[0]!.slice(0, 120);
}

/** Says where a value holds something that JSON would lose or change, or `undefined` if it holds nothing of the kind. */
export function findNonJson(value: unknown, path = '#', depth = 0): string | undefined {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `has ${value} at ${path}`;
  if (typeof value !== 'object') return `has a ${typeof value} at ${path}`;
  // Stops at a circle.
  if (depth >= MAX_JSON_LEVELS) return `is nested deeper than ${MAX_JSON_LEVELS} levels`;
  if (!Array.isArray(value) && !isPlainObject(value)) return `has an instance of a class at ${path}`;
  for (const [key, member] of Object.entries(value)) {
    const odd = findNonJson(member, `${path}/${key}`, depth + 1);
    if (odd !== undefined) return odd;
  }
  return undefined;
}
