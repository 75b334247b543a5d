import { isRecord, type ReadonlyJsonObject } from '../protocol/json.js';
import { isPlainObject } from './json-copy.js';

/** The answer of `'~standard'.validate`: a value, or issues. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One issue of a Standard Schema; a path segment is a key or an object that holds one. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The part of a Standard Schema that states it as JSON Schema (the "Standard JSON Schema" interface). */
export interface StandardJson {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
  readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
}

/** A Standard Schema (zod, ArkType, Valibot, ...) that also states itself as JSON Schema: without that it can't be advertised. */
export interface StandardSchemaWithJson<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: StandardJson;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A class whose properties carry class-validator decorators or `@McpField`. */
export type DtoClass = abstract new (...args: never[]) => unknown;

/** Where a schema comes from: a class-validator DTO, a Standard Schema, or raw JSON Schema 2020-12 that is kept word for word. */
export type SchemaSource = DtoClass | StandardSchemaWithJson | ReadonlyJsonObject;

/** Classes of the language: they hold no metadata and can't be a DTO. */
const BUILT_IN: ReadonlySet<unknown> = new Set([
  Object, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Function, Promise, Map, Set, WeakMap, WeakSet, Error, Buffer,
]); // prettier-ignore

/** Whether `value` is a class of the author's own, not one of the language's. */
export function isDtoClass(value: unknown): value is DtoClass {
  if (typeof value !== 'function' || BUILT_IN.has(value)) return false;
  const prototype: unknown = value.prototype;
  return typeof prototype === 'object' && prototype !== null;
}

/** Whether `value` is a Standard Schema. One without `jsonSchema` counts too: compiling it reports the missing part. */
export function isStandardSchema(value: unknown): value is StandardSchemaWithJson {
  // ArkType's schemas are functions.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = '~standard' in value ? value['~standard'] : undefined;
  return isRecord(standard) && typeof standard['validate'] === 'function';
}

/** Whether `value` can be given to `compileSchema`; it says nothing about whether the schema is a good one. */
export function isSchemaSource(value: unknown): value is SchemaSource {
  return isStandardSchema(value) || isDtoClass(value) || (isPlainObject(value) && !Array.isArray(value));
}
