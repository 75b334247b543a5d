/** A value that JSON can hold without loss. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A JSON value that is only read, such as one written `as const`. */
export type ReadonlyJsonValue = null | boolean | number | string | readonly ReadonlyJsonValue[] | ReadonlyJsonObject;

/** A JSON object that is only read. */
export interface ReadonlyJsonObject {
  readonly [key: string]: ReadonlyJsonValue;
}

/** The members that have a value; an `undefined` one would stay a key. For objects whose keys are counted or compared. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The members of `T`, each absent or with a value. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Whether `value` is an object of any kind, arrays included, so that its members can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether `value` is a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an id that can be echoed. A double that holds no exact integer would be echoed as another id than it came with. */
export function isRequestId(id: JsonValue | undefined): id is string | number {
  return typeof id === 'string' ? id.isWellFormed() : Number.isSafeInteger(id);
}

/** Bounds on the shape of a message. */
export interface JsonBounds {
  /** Levels that arrays and objects may nest. */
  readonly maxJsonDepth: number;
  /**
   * Arrays and objects together. Each takes much longer to parse, copy and collect than its two bytes suggest: a body of 4 MiB could hold 1.4 million, which
   * would block the process for more than a second.
   */
  readonly maxJsonObjects: number;
}

/** Levels of objects and arrays in a value that an author made: more than any transport lets in, and few enough for every parser. */
export const MAX_JSON_LEVELS = 500;

/** The default bounds. */
export const JSON_BOUNDS: JsonBounds = { maxJsonDepth: 64, maxJsonObjects: 250_000 };

/**
 * Values that never change again and that are sent many times, such as pages of a list, each with its JSON text once that has been needed.
 * They are kept no longer than the values live.
 */
export const UNCHANGING = new WeakMap<object, string | undefined>();

/** The JSON text of a value of `UNCHANGING`, made once. @throws TypeError when JSON cannot hold it */
export function unchangingText(value: object): string {
  const known = UNCHANGING.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  UNCHANGING.set(value, text);
  return text;
}
