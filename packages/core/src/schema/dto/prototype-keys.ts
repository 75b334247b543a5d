const DROPPED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

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
