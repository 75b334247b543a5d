import { MAX_DEPTH, assertJson } from './assert-json.js';
import type { JsonValue } from './json.js';
import { plainCopy } from './plain-copy.js';

/**
 * The JSON form of `value`, detached from it; an object's `toJSON`, that of `Date` included, is honoured. Top-level `undefined` stays.
 * @param where names the value in the error
 * @throws NotJsonError naming the path of what JSON cannot hold without loss
 */
export function toJsonValue(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  const plain = plainCopy(value, MAX_DEPTH);
  if (plain) return plain.value;
  assertJson(value, where, 'taken');
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

/**
 * As `toJsonValue`, and refuses what would come back as something else: an object with `toJSON`, such as a `Date`.
 * For values that are read back as what they were, such as the result of a step.
 * @throws NotJsonError
 */
export function toExactJsonValue(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  const plain = plainCopy(value, MAX_DEPTH);
  if (plain) return plain.value;
  assertJson(value, where);
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
