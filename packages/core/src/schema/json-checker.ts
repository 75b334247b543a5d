import { Logger } from '@nestjs/common';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { DefinitionError } from '../errors/definition-fault.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import type { SchemaIssue, SchemaResult } from './compiled-schema.js';
import { createAjv } from './create-ajv.js';
import { copyJson } from './json-copy.js';
import { computeWithin, OutOfTime, TOO_LONG } from './run-within.js';
import { issuesFromAjv } from './schema-issues.js';
import { walkSchema } from './schema-walk.js';
import { needsWatch } from './slow-patterns.js';

const logger = new Logger('McpSchema');

/** Values whose text is longer get their first issue only: all of them could be as many as the value has members. */
const MAX_SIZE_FOR_ALL_ISSUES = 100_000;
/** Of more errors only the first is told: to find out what each says of the unions around it takes their square. */
const MAX_ERRORS = 500;
/** How long a check may take that could take for ever, and what each 10,000 characters of the value add. An honest one takes a tenth. */
const CHECK_MS = 50;

/** Checks a copy of a value and fills in the copy's defaults; the copy is the result. */
export type JsonChecker = (value: unknown) => SchemaResult;

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

let metaAjv: ReturnType<typeof createAjv> | undefined;

/**
 * Compiles a schema that has passed `assertValidSchema`. A check that could take for ever is stopped, and refuses the value.
 * @throws DefinitionError if it can't be compiled all the same (a `pattern` that is no Unicode regular expression, an anchor that stands twice)
 */
export function createJsonChecker(json: JsonObject, where: string): JsonChecker {
  const fits = compile(createAjv(), json, where);
  const watched = needsWatch(json);
  let listAll: ValidateFunction | undefined;
  return (value) => {
    const copy = copyJson(value);
    if (!copy.ok) return { ok: false, issues: [{ path: '', message: copy.problem }] };
    const data = copy.value;
    const run = (check: ValidateFunction): Outcome => (watched ? runWatched(copy.size, () => check(data)) : check(data));
    const outcome = run(fits);
    if (outcome === true) return { ok: true, value: data };
    if (outcome === 'stopped') return refuseStopped(where);
    if (copy.size > MAX_SIZE_FOR_ALL_ISSUES) return refuse(fits.errors, data);
    // Compiled on the first refusal: most schemas never need it, and each costs as much again at boot.
    listAll ??= compile(createAjv({ allErrors: true }), json, where);
    const all = run(listAll);
    if (all === true) return { ok: true, value: data };
    return refuse(all === 'stopped' || listAll.errors!.length > MAX_ERRORS ? fits.errors : listAll.errors, data);
  };
}

type Outcome = boolean | 'stopped';

function runWatched(size: number, check: () => boolean): Outcome {
  try {
    return computeWithin(CHECK_MS + Math.ceil(size / 10_000), check);
  } catch (error) {
    if (error instanceof OutOfTime) return 'stopped';
    throw error;
  }
}

/** Said once for each schema: whoever sends such values can send many. */
const told = new Set<string>();

function refuseStopped(where: string): SchemaResult {
  if (!told.has(where) && told.size < 1_000) {
    told.add(where);
    logger.warn(
      `${where}: the check of a value against its schema was stopped and the value refused: it took too long. Look for a pattern that backtracks.`,
    );
  }
  return { ok: false, issues: [TOO_LONG] };
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

function compile(ajv: ReturnType<typeof createAjv>, json: JsonObject, where: string): ValidateFunction {
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
