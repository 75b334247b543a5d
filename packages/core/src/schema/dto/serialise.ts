import { instanceToPlain } from 'class-transformer';
import { isJsonObject } from '../../protocol/json.js';
import { isPlainObject } from '../json-copy.js';

/**
 * Turns an instance that an author returned into plain data, as Nest's ClassSerializerInterceptor does. Leaves plain values, and the author's own
 * instances, as they are.
 * @param hasUnion the class stands in a discriminated union, whose tag class-transformer writes into what it serialises
 */
export function serialise(value: unknown, hasUnion: boolean): unknown {
  if (!isJsonObject(value) || isPlainObject(value)) return value;
  if (!hasUnion) return instanceToPlain(value);
  try {
    return instanceToPlain(cloneInstances(value));
  } catch {
    return keepingInstances(value, () => instanceToPlain(value));
  }
}

/**
 * Copies an object graph with its classes. class-transformer writes the tag of a discriminated union into the
 * instances that it serialises; they are the author's.
 */
function cloneInstances(value: unknown, seen = new Map<object, object>()): unknown {
  if (typeof value !== 'object' || value === null || !isPlainData(value)) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const copy: object = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  seen.set(value, copy);
  for (const [key, member] of Object.entries(value)) {
    // Defined, not assigned: the class may have a setter, and the key may be `__proto__`.
    Object.defineProperty(copy, key, { value: cloneInstances(member, seen), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** False for classes of the platform whose data is not in their properties (a Date, a Map, a Buffer). */
function isPlainData(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * Runs `write` on the author's own instances, and takes back what it has written into them. For classes whose copies do not work: a copy has none of
 * the private fields (`#name`) that a getter reads.
 */
function keepingInstances<T>(value: unknown, write: () => T): T {
  const before = new Map<object, PropertyDescriptorMap>();
  note(value, before);
  try {
    return write();
  } finally {
    for (const [instance, properties] of before) restore(instance, properties);
  }
}

function note(value: unknown, before: Map<object, PropertyDescriptorMap>): void {
  if (typeof value !== 'object' || value === null || !isPlainData(value) || before.has(value)) return;
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(value);
  before.set(value, properties);
  for (const property of Object.values(properties)) note(property.value, before);
}

function restore(instance: object, properties: PropertyDescriptorMap): void {
  for (const key of Object.keys(instance)) {
    const former = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    if (former === undefined) Reflect.deleteProperty(instance, key);
    else if ('value' in former && former.value !== Reflect.get(instance, key)) Object.defineProperty(instance, key, former);
  }
}
