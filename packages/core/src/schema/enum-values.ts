import type { JsonObject } from '../protocol/json.js';
import { isPlainObject } from './json-copy.js';

/** A TypeScript enum, or an object like one: names with texts or numbers. */
export type EnumObject = Readonly<Record<string, string | number>>;

/** Whether the value is a TypeScript enum, as some compilers emit it for the type of a parameter. */
export function isEnumObject(value: unknown): value is EnumObject {
  if (!isPlainObject(value)) return false;
  const members: readonly unknown[] = Object.values(value);
  return members.length > 0 && members.every((member) => typeof member === 'string' || Number.isFinite(member));
}

/** The JSON Schema of an enum's values. Of an enum of numbers, the names that TypeScript stores under the values are left out. */
export function enumSchema(values: EnumObject): JsonObject {
  const names = Object.keys(values).filter((name) => !isReverse(values, name));
  const listed = [...new Set(names.map((name) => values[name]!))];
  const [type, ...others] = new Set<string>(listed.map((value) => typeof value));
  return type === undefined || others.length > 0 ? { enum: listed } : { type, enum: listed };
}

/** `Level[0] === 'Low'` beside `Level.Low === 0`. */
function isReverse(values: EnumObject, name: string): boolean {
  const target = values[name];
  return typeof target === 'string' && String(Number(name)) === name && values[target] === Number(name);
}
