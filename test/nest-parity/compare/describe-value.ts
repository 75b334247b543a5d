/**
 * A value as text, with everything that a handler can tell: classes by name, dates, `undefined`, `NaN`, maps, sets and bytes. Members are in the order of
 * their names. Two values that a handler can tell apart have different texts.
 */
export function describeValue(value: unknown, path: readonly object[] = []): string {
  if (typeof value !== 'object' || value === null) return describePrimitive(value);
  if (path.includes(value)) return '<cycle>';
  const within = [...path, value];
  if (value instanceof Date) return `Date(${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()})`;
  if (Array.isArray(value)) return `[${value.map((item) => describeValue(item, within)).join(', ')}]`;
  if (value instanceof Map)
    return `Map{${[...value].map(([key, item]) => `${describeValue(key, within)} => ${describeValue(item, within)}`).join(', ')}}`;
  if (value instanceof Set) return `Set{${[...value].map((item) => describeValue(item, within)).join(', ')}}`;
  if (value instanceof Uint8Array) return `${value.constructor.name}(${Buffer.from(value).toString('hex')})`;
  return describeObject(value, within);
}

function describeObject(value: object, path: readonly object[]): string {
  const members = Object.keys(value).toSorted();
  const listed = members.map((name) => `${name}: ${describeValue((value as Record<string, unknown>)[name], path)}`);
  return `${classOf(value)}{${listed.join(', ')}}`;
}

function classOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name?: string } } | null;
  if (prototype === null) return 'null-prototype';
  if (prototype === Object.prototype) return '';
  return `${prototype.constructor?.name ?? '?'} `;
}

function describePrimitive(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `function ${value.name}`;
  return Object.is(value, -0) ? '-0' : String(value);
}
