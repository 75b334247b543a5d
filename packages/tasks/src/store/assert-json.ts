import { NotJsonError } from './task-store.errors.js';

/** Deeper than anything a transport lets in, and shallow enough for every parser. */
const MAX_DEPTH = 500;

type Ancestors = Set<object>;

/** What is wrong, and the way to it from the value looked at; filled in from the inside out, so that a sound value costs no paths. */
interface Fault {
  readonly found: string;
  readonly way: string[];
}

/**
 * Refuses a value that JSON can't hold without loss, naming the first such place; `root` is what the value itself is called there.
 *
 * Refused: BigInt, symbols, functions, NaN and infinities, cycles, more than 500 levels, `undefined` on its own or in an array (where it
 * becomes null), and every object whose JSON is not its own members: one with a `toJSON` (`Date`, `Buffer`), `Map`, `Set`, `Error`,
 * typed arrays, promises. Allowed: an object member that is `undefined`, which is left out and means the same; and instances of ordinary
 * classes, of which JSON keeps the fields.
 */
export function assertJson(value: unknown, root: string): void {
  const fault = faultOf(value, new Set());
  if (fault !== undefined) throw new NotJsonError(root + fault.way.toReversed().join(''), fault.found);
}

function faultOf(value: unknown, ancestors: Ancestors): Fault | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : fault(String(value));
    case 'object':
      return value === null ? undefined : faultOfObject(value, ancestors);
    case 'undefined':
      return fault('undefined');
    default:
      return fault(typeof value === 'bigint' ? 'a BigInt' : `a ${typeof value}`);
  }
}

function faultOfObject(value: object, ancestors: Ancestors): Fault | undefined {
  const kind = foreignKind(value);
  if (kind !== undefined) return fault(kind);
  if (ancestors.has(value)) return fault('a reference to an object around it');
  if (ancestors.size >= MAX_DEPTH) return fault(`nested more than ${MAX_DEPTH} levels deep`);
  ancestors.add(value);
  const found = Array.isArray(value) ? faultOfItems(value, ancestors) : faultOfMembers(value as Record<string, unknown>, ancestors);
  ancestors.delete(value);
  return found;
}

function faultOfItems(items: readonly unknown[], ancestors: Ancestors): Fault | undefined {
  // By index, not for-of: a hole is to be seen as the undefined it reads as, and an iterator costs more.
  for (let index = 0; index < items.length; index++) {
    const found = faultOf(items[index], ancestors);
    if (found !== undefined) return within(found, `[${index}]`);
  }
  return undefined;
}

function faultOfMembers(members: Readonly<Record<string, unknown>>, ancestors: Ancestors): Fault | undefined {
  for (const name of Object.keys(members)) {
    const value = members[name];
    const found = value === undefined ? undefined : faultOf(value, ancestors);
    if (found !== undefined) return within(found, /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
  }
  return undefined;
}

/** What kind of object this is if its JSON is not simply its members. */
function foreignKind(value: object): string | undefined {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return `${nameOf(value)}, which has a toJSON of its own`;
  if (!Array.isArray(value) && !isOrdinary(value)) return nameOf(value);
  return Object.getOwnPropertySymbols(value).length > 0 ? 'an object with symbols for keys' : undefined;
}

/** Object literals, objects without a prototype, and instances of classes that extend nothing built in. */
function isOrdinary(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.prototype.toString.call(value) === '[object Object]';
}

function nameOf(value: object): string {
  const { constructor } = value;
  const name = typeof constructor === 'function' && constructor !== Object ? constructor.name : '';
  return name === '' ? 'an object' : `an instance of ${name}`;
}

const fault = (found: string): Fault => ({ found, way: [] });

function within(inner: Fault, step: string): Fault {
  inner.way.push(step);
  return inner;
}
