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

/** Whether `value` is a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
