import { isPlainObject } from './json-copy.js';

/** Stops at a circle. Far above what the bound on schema depth lets pass, so that that bound gives the reason. */
const MAX_DEPTH = 512;

/** Says where a value holds something that JSON would lose or change, or `undefined` if it holds nothing of the kind. */
export function findNonJson(value: unknown, path = '#', depth = 0): string | undefined {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `has ${value} at ${path}`;
  if (typeof value !== 'object') return `has a ${typeof value} at ${path}`;
  if (depth >= MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
  if (!Array.isArray(value) && !isPlainObject(value)) return `has an instance of a class at ${path}`;
  for (const [key, member] of Object.entries(value)) {
    const odd = findNonJson(member, `${path}/${key}`, depth + 1);
    if (odd !== undefined) return odd;
  }
  return undefined;
}
