const DROPPED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** How many properties an object of a DTO may have: class-transformer compares the name of each with all the others. */
export const MAX_PROPERTIES = 5_000;

/** Whether an object anywhere in a value has more than `MAX_PROPERTIES`. */
export function isCrowded(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: unknown[] = Object.values(value);
  return (!Array.isArray(value) && members.length > MAX_PROPERTIES) || members.some(isCrowded);
}

/**
 * Drops the keys that reach a prototype once a value becomes an instance; class-transformer even calls an own
 * `constructor` of an untyped object. Changes the JSON value it is given and returns it.
 */
export function withoutPrototypeKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const key of Object.keys(value)) {
    if (DROPPED.has(key)) delete (value as Record<string, unknown>)[key];
    else withoutPrototypeKeys((value as Record<string, unknown>)[key]);
  }
  return value;
}
