import { MAX_JSON_LEVELS, type JsonValue } from './json.js';
import { plainCopy } from './plain-copy.js';
import { BYTES_ADVICE, isBytes } from './bytes.js';

/**
 * The JSON form of `value`, detached from it; an object's `toJSON`, that of `Date` included, is honoured. Top-level `undefined` stays.
 * @param where names the value in the error
 * @throws NotJsonError naming the path of what JSON cannot hold without loss
 */
export function toJsonValue(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  const plain = plainCopy(value, MAX_JSON_LEVELS);
  if (plain) return plain.value;
  assertJson(value, where, 'taken');
  return JSON.parse(JSON.stringify(value));
}

/**
 * As `toJsonValue`, and refuses what would come back as something else: an object with `toJSON`, such as a `Date`.
 * For values that are read back as what they were, such as the result of a step.
 * @throws NotJsonError
 */
export function toExactJsonValue(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  const plain = plainCopy(value, MAX_JSON_LEVELS);
  if (plain) return plain.value;
  assertJson(value, where);
  return JSON.parse(JSON.stringify(value));
}

/** A value that JSON can't hold without loss, where JSON is needed. */
export class NotJsonError extends TypeError {
  override readonly name = 'NotJsonError';

  constructor(
    /** Where the value stands, from the root that was named: `result.content[0].data`. */
    readonly path: string,
    /** The value that was found: `a BigInt`. */
    readonly found: string,
  ) {
    super(`JSON can't hold ${path}: it is ${found}`);
  }
}

/**
 * Whether an object's own JSON form, its `toJSON`, is used, or refused because it would come back as something else.
 */
export type OwnJsonForm = 'taken' | 'refused';

interface Walk {
  readonly ancestors: Set<object>;
  readonly ownForm: OwnJsonForm;
}

/** The problem, and the path to it from the checked value; filled in from the inside out, so that a valid value costs no paths. */
interface Fault {
  readonly found: string;
  readonly way: string[];
}

/**
 * Refuses a value that JSON can't hold without loss, naming the first such place; `root` is what the value itself is called there.
 *
 * Refused: BigInt, symbols, functions, NaN and infinities, cycles, more than 500 levels, `undefined` on its own or in an array (where it
 * becomes null), and every object whose JSON is not its own members: `Map`, `Set`, `Error`, typed arrays, promises, and, unless `ownForm`
 * says to take it, one with a `toJSON` (`Date`). Bytes (`Buffer`) are refused in any case. Allowed: an object member that is `undefined`, which is left out and means the same; and instances of ordinary
 * classes, of which JSON keeps the fields.
 */
export function assertJson(value: unknown, root: string, ownForm: OwnJsonForm = 'refused'): void {
  const fault = faultOf(value, { ancestors: new Set(), ownForm });
  if (fault !== undefined) throw new NotJsonError(root + fault.way.toReversed().join(''), fault.found);
}

function faultOf(value: unknown, walk: Walk): Fault | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : fault(String(value));
    case 'object':
      return value === null ? undefined : faultOfObject(value, walk);
    case 'undefined':
      return fault('undefined');
    default:
      return fault(typeof value === 'bigint' ? 'a BigInt' : `a ${typeof value}`);
  }
}

function faultOfObject(value: object, walk: Walk): Fault | undefined {
  const { ancestors, ownForm } = walk;
  if (isBytes(value)) return fault(`${nameOf(value)}; ${BYTES_ADVICE}`);
  if (hasOwnForm(value))
    return ownForm === 'taken' ? faultOf(value.toJSON(), walk) : fault(`${nameOf(value)}, which has its own toJSON method`);
  const kind = foreignKind(value);
  if (kind !== undefined) return fault(kind);
  if (ancestors.has(value)) return fault('a reference to an object around it');
  if (ancestors.size >= MAX_JSON_LEVELS) return fault(`nested more than ${MAX_JSON_LEVELS} levels deep`);
  ancestors.add(value);
  const found = Array.isArray(value) ? faultOfItems(value, walk) : faultOfMembers(value, walk);
  ancestors.delete(value);
  return found;
}

function faultOfItems(items: readonly unknown[], walk: Walk): Fault | undefined {
  // By index, not for-of: a hole is to be seen as the undefined it reads as, and an iterator costs more.
  for (let index = 0; index < items.length; index++) {
    const found = faultOf(items[index], walk);
    if (found !== undefined) return within(found, `[${index}]`);
  }
  return undefined;
}

function faultOfMembers(members: object, walk: Walk): Fault | undefined {
  for (const name of Object.keys(members)) {
    const value: unknown = Reflect.get(members, name);
    const found = value === undefined ? undefined : faultOf(value, walk);
    if (found !== undefined) return within(found, /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
  }
  return undefined;
}

function hasOwnForm(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** The kind of an object whose JSON is not simply its members. */
function foreignKind(value: object): string | undefined {
  if (!Array.isArray(value) && !isOrdinary(value)) return nameOf(value);
  // Members that are not enumerable are no content: brands are of this kind.
  const symbols = Object.getOwnPropertySymbols(value);
  return symbols.some((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol))
    ? 'an object with symbols for keys'
    : undefined;
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
