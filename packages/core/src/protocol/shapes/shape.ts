import { isJsonObject } from '../json.js';
import { hasScheme } from '../texts.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Why a value does not have a shape: the path to the place, from the inside out, and what should stand there. */
export interface Misfit {
  readonly way: string[];
  readonly problem: string;
}

/** A compiled check: undefined for a value of the shape. It reads the members it knows and ignores all others, as the revision's schema does. */
export type Shape = (value: unknown) => Misfit | undefined;

type Members = Readonly<Record<string, Shape>>;

/** A shape that a plain test decides. */
export function shape(test: (value: unknown) => boolean, expected: string): Shape {
  return (value) => (test(value) ? undefined : misfit(expected, value));
}

/** An object with these members; the optional ones may be left out. */
export function object(required: Members, optional: Members = {}): Shape {
  const must = Object.entries(required);
  const may = Object.entries(optional);
  return (value) => {
    if (!isJsonObject(value)) return misfit('an object', value);
    for (const [key, check] of must) {
      const found = check(value[key]);
      if (found !== undefined) return within(found, `.${key}`);
    }
    for (const [key, check] of may) {
      const member = value[key];
      const found = member === undefined ? undefined : check(member);
      if (found !== undefined) return within(found, `.${key}`);
    }
    return undefined;
  };
}

/** An array of items of one shape. */
export function arrayOf(item: Shape, max = Infinity): Shape {
  return (value) => {
    if (!Array.isArray(value)) return misfit('an array', value);
    if (value.length > max) return { way: [], problem: `must have at most ${max} items, not ${value.length}` };
    for (let index = 0; index < value.length; index++) {
      const found = item(value[index]);
      if (found !== undefined) return within(found, `[${index}]`);
    }
    return undefined;
  };
}

/** An object whose members, whatever their names, are of one shape. */
export function recordOf(member: Shape): Shape {
  return (value) => {
    if (!isJsonObject(value)) return misfit('an object', value);
    for (const key of Object.keys(value)) {
      const found = member(value[key]);
      if (found !== undefined) return within(found, `[${JSON.stringify(key)}]`);
    }
    return undefined;
  };
}

/** One of several objects, told apart by the text in `key`. */
export function byMember(key: string, kinds: Members): Shape {
  const known = new Map<unknown, Shape>(Object.entries(kinds));
  const expected = `one of ${Object.keys(kinds)
    .map((kind) => `"${kind}"`)
    .join(', ')}`;
  return (value) => {
    if (!isJsonObject(value)) return misfit('an object', value);
    const kind = known.get(value[key]);
    return kind === undefined ? within(misfit(expected, value[key]), `.${key}`) : kind(value);
  };
}

/** A value of both shapes. */
export function both(first: Shape, second: Shape): Shape {
  return (value) => first(value) ?? second(value);
}

/** A misfit as one sentence for a log; `root` is the name of the value. */
export function misfitText(found: Misfit, root: string): string {
  return `${root}${found.way.toReversed().join('')} ${found.problem}`;
}

/** A misfit at the value itself. The value is described, not repeated: it may be a secret. */
export function misfit(expected: string, value: unknown): Misfit {
  return { way: [], problem: `must be ${expected}, not ${nameOf(value)}` };
}

function within(found: Misfit, step: string): Misfit {
  found.way.push(step);
  return found;
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : typeof value === 'string' ? 'another text' : `a value of type ${typeof value}`;
}

export const anything: Shape = () => undefined;
/** Nearly every value that is checked is one, so that it takes no test of its own. */
export const string: Shape = (value) => (typeof value === 'string' ? undefined : misfit('a string', value));
export const boolean = shape((value) => typeof value === 'boolean', 'true or false');
export const number = shape((value) => Number.isFinite(value), 'a finite number');
export const integer = shape((value) => Number.isSafeInteger(value), 'an integer');
export const anyObject = shape(isJsonObject, 'an object');
/** Any value but `undefined`, which JSON would leave out. */
export const present = shape((value) => value !== undefined, 'present');
/** A whole number of milliseconds from 0 on. */
export const duration = shape((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0, 'an integer from 0 on');
/** A weight from 0 to 1. */
export const fraction = shape((value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1');
/** A text that begins with a scheme. */
export const uri = shape((value) => typeof value === 'string' && hasScheme(value), 'an absolute URI');
/** Base64 with padding (RFC 4648 §4). */
export const base64 = shape(
  (value) => typeof value === 'string' && value.length % 4 === 0 && BASE64.test(value),
  'base64 with padding; use the builders to send bytes',
);
/** A time of ISO 8601 with its offset. */
export const dateTime = shape(
  (value) => typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  'a time such as "2026-07-28T12:00:00Z"',
);
/** The id of a request, or a progress token. */
export const token = shape((value) => typeof value === 'string' || Number.isSafeInteger(value), 'a string or an integer');

/** One of these texts. */
export function oneOf(...texts: readonly string[]): Shape {
  const known = new Set<unknown>(texts);
  const expected = `one of ${texts.map((text) => `"${text}"`).join(', ')}`;
  return (value) => (known.has(value) ? undefined : misfit(expected, value));
}
