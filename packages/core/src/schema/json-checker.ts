import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DefinitionError } from '../errors/definition-fault.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import type { SchemaIssue, SchemaResult } from './compiled-schema.js';
import { copyJson } from './json-copy.js';
import { issuesFromAjv } from './schema-issues.js';
import { walkSchema } from './schema-walk.js';

/**
 * The one place that sets up ajv. Every schema gets an instance of its own, so that the `$id`s and
 * `$anchor`s of two tools can't meet; the instance goes when the schema goes.
 */
function createAjv({ allErrors = false, meta = false } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    // Unknown keywords (`x-mcp-header`, other vocabularies) are annotations, not mistakes.
    strict: false,
    allErrors,
    meta,
    useDefaults: true,
    coerceTypes: false,
    // An argument may be called `toString` or `constructor`: what every object inherits is not a member of it.
    ownProperties: true,
    $data: false,
    // Checked before, by the shared instance: compiling the meta-schema for each tool would cost 50 ms a tool.
    validateSchema: false,
    verbose: true,
    // An unknown format is an annotation; ajv would print a warning for each.
    logger: false,
  });
  addFormats.default(ajv);
  // ajv-formats also lets `urn:uuid:...` through, which RFC 4122 has as a URN, not as a UUID.
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  return ajv;
}

/** Values whose text is longer get their first issue only: all of them could be as many as the value has members. */
const MAX_SIZE_FOR_ALL_ISSUES = 100_000;

/** Checks a copy of a value and fills in the copy's defaults; the copy is the result. */
export type JsonChecker = (value: unknown) => SchemaResult;

let metaAjv: Ajv2020 | undefined;

/**
 * Refuses what the 2020-12 meta-schema refuses.
 * @throws DefinitionError naming the place inside the schema
 */
export function assertValidSchema(json: JsonObject, where: string): void {
  metaAjv ??= createAjv({ meta: true });
  // Always the 2020-12 meta-schema: `assertSchemaIsSelfContained` has refused every other `$schema`.
  const meta = metaAjv.getSchema('https://json-schema.org/draft/2020-12/schema')!;
  if (meta(json) === true) return;
  const error = meta.errors?.[0];
  throw invalidSchema(where, `at #${error?.instancePath ?? ''}: ${error?.message ?? 'unknown fault'}`);
}

/**
 * Compiles a schema that has passed `assertValidSchema`.
 * @throws DefinitionError if it can't be compiled all the same (a `pattern` that is no Unicode regular expression, an anchor that stands twice)
 */
export function createJsonChecker(json: JsonObject, where: string): JsonChecker {
  const fits = compile(createAjv(), json, where);
  let listAll: ValidateFunction | undefined;
  return (value) => {
    const copy = copyJson(value);
    if (!copy.ok) return { ok: false, issues: [{ path: '', message: copy.problem }] };
    const data = copy.value;
    if (fits(data)) return { ok: true, value: data };
    if (copy.size > MAX_SIZE_FOR_ALL_ISSUES) return refuse(fits.errors, data);
    // Compiled on the first refusal: most schemas never need it, and each costs as much again at boot.
    listAll ??= compile(createAjv({ allErrors: true }), json, where);
    return listAll(data) ? { ok: true, value: data } : refuse(listAll.errors, data);
  };
}

/**
 * Checks every `default` in a schema against the schema it stands in.
 * @throws DefinitionError naming the place of a default that doesn't fit
 */
export function assertDefaultsFit(json: JsonObject, where: string): void {
  const places = [...walkSchema(json)].filter(({ schema }) => Object.hasOwn(schema, 'default'));
  if (places.length === 0) return;
  const ajv = createAjv();
  ajv.addSchema(json, 'root');
  for (const { schema, pointer } of places) {
    const fits = ajv.getSchema(`root#${pointer.split('/').map(encodeURIComponent).join('/')}`) as ValidateFunction | undefined;
    const value = structuredClone(schema['default']);
    if (fits === undefined || fits(value)) continue;
    const [issue] = issuesFromAjv(fits.errors ?? [], value);
    throw new DefinitionError({
      where,
      problem: `the default at #${pointer} does not fit its own schema: ${describe(issue)}`,
      mend: `Give a default that the schema accepts, or widen the schema.`,
    });
  }
}

function refuse(errors: ErrorObject[] | null | undefined, data: JsonValue | undefined): SchemaResult {
  return { ok: false, issues: issuesFromAjv(errors ?? [], data) };
}

function compile(ajv: Ajv2020, json: JsonObject, where: string): ValidateFunction {
  try {
    return ajv.compile(json);
  } catch (error) {
    throw invalidSchema(where, error instanceof Error ? error.message : String(error));
  }
}

function invalidSchema(where: string, detail: string): DefinitionError {
  return new DefinitionError({
    where,
    problem: `its schema is not valid JSON Schema 2020-12, ${detail}`,
    mend: 'Correct the schema; https://json-schema.org/draft/2020-12/schema is its grammar.',
  });
}

function describe(issue: SchemaIssue | undefined): string {
  return issue === undefined ? 'it is refused' : `${issue.path === '' ? 'it' : issue.path} ${issue.message}`;
}
