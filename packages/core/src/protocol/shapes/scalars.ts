import { isJsonObject } from '../json.js';
import { hasScheme } from '../texts.js';
import { shape, type Shape } from './shape.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

export const anything: Shape = () => undefined;
export const string = shape((value) => typeof value === 'string', 'a string');
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
  return shape((value) => known.has(value), `one of ${texts.map((text) => `"${text}"`).join(', ')}`);
}
