import type { JsonObject } from '../protocol/json.js';
import type { SchemaResult } from './compiled-schema.js';
import type { DtoClass } from './schema-source.js';

/** How one schema is compiled. */
export interface CompileSchemaOptions {
  /** The owner of the schema, as a fault names it: `Class.method`, `Class.method args.filter`. */
  readonly where: string;
  /** `input`: what a client sends. `output`: what the author returns. */
  readonly use: 'input' | 'output';
  /** Whether what may be absent may be null as well. @default true; a form has no null */
  readonly nullable?: boolean;
  /**
   * `pipe`: a pipe of the author's checks a DTO by its own rules (groups, missing properties), so the check leaves its
   * decorators to the pipe.
   * @default 'framework'
   */
  readonly judge?: 'framework' | 'pipe';
}

/** A source read, not yet compiled: what three kinds of source have in common. */
export interface SchemaPlan {
  /** The advertised schema. */
  readonly json: JsonObject;
  /**
   * The schema to check: `json`, without the defaults that the source fills in itself, and without the rules that the
   * source checks better afterwards.
   */
  readonly checked: JsonObject;
  /** The class that `finish` makes an instance of. */
  readonly dto?: DtoClass;
  /** Completes a copy that has been checked while it is plain, before anybody else sees it; may change that copy. */
  readonly complete?: (copy: unknown) => SchemaResult;
  /** Prepares the author's return value for the check, before it is copied. */
  readonly prepare?: (value: unknown) => unknown;
  /**
   * `finish` makes a library read the value again, in its own way. The watchdog stops it after at most half a second
   * if the value is large for its schema, if a pattern of the schema may backtrack, or, with `always`, for every
   * value.
   */
  readonly rereads?: 'watched' | 'always';
  /**
   * Makes what the author's code gets out of a copy that has been checked and completed; may change that copy.
   * @default the copy as it is
   */
  readonly finish?: ((copy: unknown) => SchemaResult | Promise<SchemaResult>) | undefined;
}
