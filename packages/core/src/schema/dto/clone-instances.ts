/**
 * Copies an object graph with its classes. class-transformer writes the tag of a discriminated union into the
 * instances that it serialises; they are the author's.
 */
export function cloneInstances(value: unknown, seen = new Map<object, object>()): unknown {
  if (typeof value !== 'object' || value === null || !isPlainData(value)) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const copy = (Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value) as object | null)) as Record<string, unknown>;
  seen.set(value, copy);
  for (const [key, member] of Object.entries(value)) {
    // Defined, not assigned: the class may have a setter, and the key may be `__proto__`.
    Object.defineProperty(copy, key, { value: cloneInstances(member, seen), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** False for classes of the platform whose data is not in their properties (a Date, a Map, a Buffer). */
export function isPlainData(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}
