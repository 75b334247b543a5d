import { DefinitionError } from '../errors/definition-fault.js';
import { messageOf } from '../errors/thrown.js';
import { isJsonObject } from '../protocol/json.js';
import type { JsonObject } from '../protocol/json.js';
import type { SchemaResult } from './compiled-schema.js';
import { copyJson } from './json-copy.js';
import { boundIssues, formatPath } from './schema-issues.js';
import type { CompileSchemaOptions, SchemaPlan } from './schema-plan.js';
import type { StandardIssue, StandardJson, StandardSchemaWithJson } from './schema-source.js';
import { walkSchema } from './schema-walk.js';

/**
 * A Standard Schema advertises what it says of itself and, for input, has the last word on the value.
 *
 * - `$schema` is left out where it names 2020-12: that is the protocol's default, and a DTO's schema has none either.
 * - Its defaults are advertised, but filled in by the schema itself: a computed one (`.default(() => nanoid())`)
 *   is stated in JSON Schema as the value it happened to have at boot.
 * - A union of objects gets the `type: "object"` that the protocol wants at the root of an input schema.
 * - For output only the JSON Schema is checked: the author returns what comes *after* a transformation, and running
 *   the schema would transform it twice.
 * @throws DefinitionError if the schema can't state itself as JSON Schema
 */
export function planStandard(source: StandardSchemaWithJson, options: CompileSchemaOptions): SchemaPlan {
  const json = advertised(source, options);
  const checked = withoutDefaults(json);
  if (options.use === 'output') return { json, checked };
  return { json, checked, rereads: 'watched', finish: validationBy(source) };
}

function advertised(source: StandardSchemaWithJson, { use, where }: CompileSchemaOptions): JsonObject {
  const standard = source['~standard'];
  // Not every library has it; the type only says what is needed.
  const states: StandardJson | undefined = standard.jsonSchema;
  if (typeof states?.[use] !== 'function') throw withoutJson(where, `${standard.vendor} does not provide JSON Schema for it`);
  const copy = copyJson(stateOrFault(() => states[use]({ target: 'draft-2020-12' }), { where, vendor: standard.vendor }));
  if (!copy.ok || copy.value === undefined || !isJsonObject(copy.value))
    throw withoutJson(where, 'the JSON Schema that it provides is not JSON');
  const json = copy.value;
  if (json['$schema'] === 'https://json-schema.org/draft/2020-12/schema') delete json['$schema'];
  return use === 'input' && isUnionOfObjects(json) ? { type: 'object', ...json } : json;
}

/** Adding the type to such a union changes nothing that it accepts. */
function isUnionOfObjects(json: JsonObject): boolean {
  if (json['type'] !== undefined) return false;
  return ['anyOf', 'oneOf', 'allOf'].some((keyword) => {
    const branches = json[keyword];
    return (
      Array.isArray(branches) && branches.length > 0 && branches.every((branch) => isJsonObject(branch) && branch['type'] === 'object')
    );
  });
}

function stateOrFault(state: () => unknown, { where, vendor }: { where: string; vendor: string }): unknown {
  try {
    return state();
  } catch (error) {
    throw withoutJson(where, `${vendor} says: ${messageOf(error)}`);
  }
}

function withoutJson(where: string, detail: string): DefinitionError {
  return new DefinitionError({
    where,
    problem: `its Standard Schema can't be advertised: ${detail}.`,
    fix: "Use types that JSON has (an ISO string instead of a Date), and a library with '~standard'.jsonSchema: zod 4.2 or later, ArkType, or Valibot with toStandardJsonSchema() of @valibot/to-json-schema. Or use raw JSON Schema 2020-12.",
  });
}

function withoutDefaults(json: JsonObject): JsonObject {
  const copy = structuredClone(json);
  for (const { schema } of walkSchema(copy)) delete schema['default'];
  return copy;
}

function validationBy(source: StandardSchemaWithJson): SchemaPlan['finish'] {
  return (value) => {
    const result = source['~standard'].validate(value);
    if (result instanceof Promise) return result.then(toResult);
    return result.issues === undefined ? { ok: true, value: result.value } : toResult(result);
  };
}

function toResult(result: Awaited<ReturnType<StandardSchemaWithJson['~standard']['validate']>>): SchemaResult {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: boundIssues(result.issues.map((issue) => ({ path: issuePath(issue), message: issue.message }))) };
}

function issuePath(issue: StandardIssue): string {
  return formatPath((issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step)));
}
