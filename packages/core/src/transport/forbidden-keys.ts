import { isJsonObject } from '../protocol/json.js';

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
  const { constructor } = object as { constructor: unknown };
  return isJsonObject(constructor) && Object.hasOwn(constructor, 'prototype');
}
