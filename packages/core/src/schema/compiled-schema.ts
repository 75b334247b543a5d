import type { JsonObject } from '../protocol/json.js';

/** One thing wrong with a value. */
export interface SchemaIssue {
  /** Where: `''` is the value itself, `a.b[0]` is inside it. */
  readonly path: string;
  /** What is expected there; it never repeats the value. */
  readonly message: string;
}

/** A value that fits, ready for the author's code; or at most 20 reasons why it doesn't. */
export type SchemaResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** A schema as it is advertised and as it is enforced: one and the same. */
export interface CompiledSchema {
  /** The JSON Schema 2020-12 that clients are shown; deeply frozen. */
  readonly json: JsonObject;
  /**
   * Checks a copy of `value` against `json`, fills in defaults, then makes what the author's code gets:
   * an instance (DTO), the transformed value (Standard Schema), or the plain value (raw). For the use
   * `output` the result is the plain JSON that goes to the wire. Never changes `value`.
   * What the author's own code throws (a `@Transform`, a refinement) is passed on.
   */
  parse(value: unknown): SchemaResult | Promise<SchemaResult>;
}
