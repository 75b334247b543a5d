import type { JsonValue } from './json.js';

/** A value that JSON cannot hold: names where it stands. */
export class NotJsonError extends Error {
  constructor(
    readonly path: string,
    readonly found: string,
  ) {
    super(`${path} holds ${found}, which JSON cannot hold without loss`);
    this.name = 'NotJsonError';
  }
}

/**
 * The JSON form of `value`, detached from it. Top-level `undefined` stays `undefined`; an `undefined` member of an object is left out,
 * as JSON does; an object's `toJSON`, that of `Date` included, is honoured, since its author chose that form.
 * @param where names the value in the error
 * @throws NotJsonError for a BigInt, a cycle, a function, a symbol, `NaN`, `Infinity`, a Map or Set, and `undefined` inside an array
 */
export function toJsonValue(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  return convert(value, where, { ancestors: new Set(), exact: false });
}

/**
 * As `toJsonValue`, and refuses what would come back as something else: an object with `toJSON`, such as a `Date`.
 * For values that are read back as what they were, such as the result of a step.
 * @throws NotJsonError
 */
export function toExactJsonValue(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  return convert(value, where, { ancestors: new Set(), exact: true });
}

interface Conversion {
  readonly ancestors: Set<object>;
  readonly exact: boolean;
}

function convert(value: unknown, path: string, conversion: Conversion): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJsonError(path, String(value));
      return value;
    case 'object':
      return value === null ? null : convertObject(value, path, conversion);
    default:
      throw new NotJsonError(path, value === undefined ? 'undefined' : `a ${typeof value}`);
  }
}

function convertObject(value: object, path: string, conversion: Conversion): JsonValue {
  const { ancestors, exact } = conversion;
  if (ancestors.has(value)) throw new NotJsonError(path, 'a cycle');
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (value instanceof Date && Number.isNaN(value.getTime())) throw new NotJsonError(path, 'an invalid Date');
  ancestors.add(value);
  try {
    if (typeof toJson === 'function' && exact) throw new NotJsonError(path, `a ${value.constructor?.name ?? 'value'} with its own JSON form`);
    if (typeof toJson === 'function') return convert(toJson.call(value), path, conversion);
    if (value instanceof Map || value instanceof Set) throw new NotJsonError(path, `a ${value.constructor.name}`);
    if (Array.isArray(value)) return value.map((item, index) => convert(item, `${path}[${index}]`, conversion));
    return convertMembers(value, path, conversion);
  } finally {
    ancestors.delete(value);
  }
}

function convertMembers(value: object, path: string, conversion: Conversion): JsonValue {
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const converted = convert(member, `${path}.${key}`, conversion);
    // A plain assignment of this key would set the prototype instead of a member.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: converted, enumerable: true, configurable: true, writable: true });
    else copy[key] = converted;
  }
  return copy;
}
