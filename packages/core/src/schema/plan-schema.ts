import { DefinitionError } from '../errors/definition-fault.js';
import type { JsonObject, ReadonlyJsonObject } from '../protocol/json.js';
import { planDto } from './dto/dto-plan.js';
import type { CompileSchemaOptions, SchemaPlan } from './schema-plan.js';
import { isDtoClass, isSchemaSource, isStandardSchema, type SchemaSource } from './schema-source.js';
import { planStandard } from './standard-plan.js';
import { findNonJson } from './json-copy.js';

/**
 * Reads a schema source.
 * @throws DefinitionError if it is not a schema, or states something that JSON Schema can't
 */
export function planSchema(source: SchemaSource, options: CompileSchemaOptions): SchemaPlan {
  if (isStandardSchema(source)) return planStandard(source, options);
  if (isDtoClass(source)) return planDto(source, options);
  if (isSchemaSource(source)) return planRaw(source, options);
  throw new DefinitionError({
    where: options.where,
    problem: `its schema is ${describe(source)}, which is not a schema.`,
    fix: 'Use a DTO class with class-validator decorators, a Standard Schema such as z.object({...}), or raw JSON Schema 2020-12.',
  });
}

function describe(value: unknown): string {
  if (typeof value === 'function') return `the function ${value.name === '' ? '(without a name)' : value.name}`;
  return value === undefined || value === null ? String(value) : `of the type ${typeof value}`;
}

/**
 * Raw JSON Schema is taken word for word: a copy, with every keyword, known or not.
 * @throws DefinitionError if it holds something that JSON can't
 */
function planRaw(source: ReadonlyJsonObject, { where }: CompileSchemaOptions): SchemaPlan {
  const odd = findNonJson(source);
  if (odd !== undefined) {
    throw new DefinitionError({ where, problem: `its raw JSON Schema ${odd}.`, fix: 'Write the schema with JSON values only.' });
  }
  const json: JsonObject = JSON.parse(JSON.stringify(source));
  return { json, checked: json };
}
