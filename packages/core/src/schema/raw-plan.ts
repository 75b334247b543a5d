import { DefinitionError } from '../errors/definition-fault.js';
import type { JsonObject } from '../protocol/json.js';
import type { CompileSchemaOptions, SchemaPlan } from './schema-plan.js';
import { findNonJson } from './find-non-json.js';

/**
 * Raw JSON Schema is taken word for word: a copy, with every keyword, known or not.
 * @throws DefinitionError if it holds something that JSON can't
 */
export function planRaw(source: JsonObject, { where }: CompileSchemaOptions): SchemaPlan {
  const odd = findNonJson(source);
  if (odd !== undefined) {
    throw new DefinitionError({ where, problem: `its raw JSON Schema ${odd}.`, fix: 'Write the schema with JSON values only.' });
  }
  const json = JSON.parse(JSON.stringify(source)) as JsonObject;
  return { json, checked: json, finish: (value) => ({ ok: true, value }) };
}
