import { DefinitionError, McpDefinitionsError } from '../errors/definition-fault.js';
import type { JsonObject } from '../protocol/json.js';
import { compilePlan } from './compile-schema.js';
import type { SchemaResult } from './compiled-schema.js';
import { FormFault, toForm } from './elicitation-form.js';
import { deepFreeze } from './json-copy.js';
import { planSchema } from './plan-schema.js';
import { isStandardSchema } from './schema-source.js';
import type { SchemaSource } from './schema-source.js';

/** The `requestedSchema` of an `elicitation/create`, and the check of the answer. */
export interface ElicitationSchema {
  /** The flat form; frozen. */
  readonly json: JsonObject;
  /** As `CompiledSchema.parse`, against the whole of the source, not only against what the form can say. */
  parse(content: unknown): SchemaResult | Promise<SchemaResult>;
}

const compiled = new WeakMap<object, ElicitationSchema>();

/**
 * Compiles the schema of a question to a person. The same source object is compiled once; keep it in a constant rather
 * than write it in the call.
 * @throws Error naming the field and the allowed forms, if the source is not a schema or goes beyond the flat form. It
 * is not a `DefinitionError`, because it occurs in the middle of a call
 */
export function compileElicitationSchema(source: SchemaSource, where: string): ElicitationSchema {
  // A value that is no schema is not found, and refused below.
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const schema = compile(source, where);
  compiled.set(source, schema);
  return schema;
}

function compile(source: SchemaSource, where: string): ElicitationSchema {
  try {
    const plan = planSchema(source, { where, use: 'input', nullable: false });
    const json = deepFreeze(toForm(plan.json, isStandardSchema(source)));
    const whole = compilePlan(plan, where);
    return { json, parse: (content) => whole.parse(content) };
  } catch (error) {
    if (error instanceof FormFault) throw new Error(`${where}: the question can't be shown as a form: ${error.message}`, { cause: error });
    if (error instanceof DefinitionError || error instanceof McpDefinitionsError) throw new Error(error.message, { cause: error });
    throw error;
  }
}
