import type { JsonObject } from '../protocol/json.js';
import type { DtoClass } from './schema-source.js';

/** One thing wrong with a value. */
export interface SchemaIssue {
  /** Where: `''` is the value itself, `a.b[0]` is inside it. */
  readonly path: string;
  /** The expected value; never repeats the actual value. */
  readonly message: string;
}

/** A value that fits, ready for the author's code; or at most 20 reasons why it doesn't. */
export type SchemaResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/**
 * A DTO among the arguments that is still plain: the author's pipes see it first, then the caller of `finish` makes
 * it.
 */
export interface PendingDto {
  /** The argument that it belongs to; undefined: it is all arguments together. */
  readonly name?: string;
  readonly owner: DtoClass;
  /** Makes an instance of a plain value and has class-validator judge it. Issues are named from the arguments down. May change the value. */
  readonly finish: (plain: unknown) => SchemaResult | Promise<SchemaResult>;
}

/** A compiled schema: the advertised form, and the check that enforces it. */
export interface CompiledSchema {
  /** The JSON Schema 2020-12 that clients are shown; deeply frozen. */
  readonly json: JsonObject;
  /**
   * Checks a copy of `value`, fills in defaults, then makes what the author's code gets:
   * an instance (DTO), the transformed value (Standard Schema), or the plain value (raw). For the use
   * `output` the result is the plain JSON that goes to the wire. Never changes `value`.
   * What the author's own code throws (a `@Transform`, a refinement) is passed on.
   */
  parse(value: unknown): SchemaResult | Promise<SchemaResult>;
  /** As `parse`, but leaves every DTO in `dtos` plain. */
  begin(value: unknown): SchemaResult | Promise<SchemaResult>;
  /**
   * The type that an argument must have, by name, after the author's pipes: `begin` accepts strings that they may
   * convert.
   * @default none
   */
  readonly converted?: ReadonlyMap<string, 'number' | 'boolean'>;
  /** The DTOs that `begin` leaves plain. */
  readonly dtos: readonly PendingDto[];
}
