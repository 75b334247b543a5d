/**
 * Whether a value carries a brand of this package, whichever copy of the package made it. A value that throws when it
 * is touched, such as a Proxy of the author's, carries none: sorting thrown values must not fail because of it.
 */
export function hasBrand(value: unknown, brand: symbol): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return (value as Record<symbol, unknown>)[brand] === true;
  } catch {
    return false;
  }
}

/** `value instanceof type`, and false for a value that throws when it is asked for its prototype. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
