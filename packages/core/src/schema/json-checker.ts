import { Logger } from '@nestjs/common';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { DefinitionError } from '../errors/definition-fault.js';
import { messageOf } from '../errors/thrown.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import type { SchemaIssue, SchemaResult } from './compiled-schema.js';
import { createAjv } from './create-ajv.js';
import { plainCopy } from '../protocol/plain-copy.js';
import { copyJson, MAX_VALUE_DEPTH } from './json-copy.js';
import { OutOfBudget, spendBudget, withBudget } from './check-budget.js';
import { checkRiskOf } from './check-risk.js';
import { computeWithin, OutOfTime, TOO_LONG } from './run-within.js';
import { issuesFromAjv } from './schema-issues.js';
import { walkSchema } from './schema-walk.js';
import { dispatchByTag } from './tagged-unions.js';

const logger = new Logger('McpSchema');

/** Values whose text is longer get their first issue only: all of them could be as many as the value has members. */
const MAX_SIZE_FOR_ALL_ISSUES = 100_000;
/** With more errors only the first is reported: comparing each one with the unions around it takes quadratic time. */
const MAX_ERRORS = 500;
/** How long a check may take that could take for ever, in ms of processor time; each 5,000 characters of the value add one. An honest check takes a tenth. */
const CHECK_MS = 50;
const MAX_CHECK_MS = 300;

/** A copy of a value that fits, with defaults filled in, and how many characters its JSON text has. */
export interface CheckedValue {
  readonly ok: true;
  readonly value: JsonValue | undefined;
  readonly size: number;
}

/** Checks a copy of a value; the copy is the result. */
export type JsonChecker = (value: unknown) => CheckedValue | Refused;

type Refused = Extract<SchemaResult, { readonly ok: false }>;

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
 * Compiles a schema that has passed `assertValidSchema`. A check that could take forever is stopped, and rejects the
 * value. Explaining a rejection costs bounded time and memory, whatever the schema and the value.
 * @throws DefinitionError if it still can't be compiled (a `pattern` that is not a Unicode regular expression, a
 * repeated anchor)
 */
export function createJsonChecker(json: JsonObject, where: string): JsonChecker {
  const fits = compile(createAjv({ discriminator: true }), dispatchByTag(json), where);
  const { checkAbove, isLarge } = checkRiskOf(json);
  if (isLarge) fits(undefined);
  let listAll: ValidateFunction | undefined;
  return (value) => {
    const copy = plainCopy(value, MAX_VALUE_DEPTH) ?? copyJson(value);
    if ('problem' in copy) return { ok: false, issues: [{ path: '', message: copy.problem }] };
    const { value: data, size } = copy;
    const verdict = size > checkAbove ? runWatched(size, () => fits(data)) : fits(data);
    if (verdict === true) return { ok: true, value: data, size };
    if (verdict === 'stopped') return refuseStopped(where);
    const first = fits.errors;
    if (size > MAX_SIZE_FOR_ALL_ISSUES) return refuse(first, data);
    // Compiled on the first refusal: most schemas never need it, and each costs as much again at boot.
    listAll ??= compile(createAjv({ allErrors: true }), withBudget(json), where);
    const all = runBudgeted(size, listAll, data);
    if (all === true) return { ok: true, value: data, size };
    return refuse(all === 'stopped' || listAll.errors!.length > MAX_ERRORS ? first : listAll.errors, data);
  };
}

type Verdict = boolean | 'stopped';

function runWatched(size: number, check: () => boolean): Verdict {
  try {
    return computeWithin(Math.min(MAX_CHECK_MS, CHECK_MS + Math.ceil(size / 5_000)), check);
  } catch (error) {
    if (error instanceof OutOfTime) return 'stopped';
    throw error;
  }
}

/** Watches always: what takes no time to refuse may take long to explain. */
function runBudgeted(size: number, listAll: ValidateFunction, data: JsonValue | undefined): Verdict {
  try {
    return runWatched(size, () => spendBudget(() => listAll(data)));
  } catch (error) {
    if (error instanceof OutOfBudget) return 'stopped';
    throw error;
  }
}

/** Schemas that were warned of: each is logged once, because a client that sends such values can send many. */
const told = new Set<string>();

function refuseStopped(where: string): Refused {
  if (!told.has(where) && told.size < 1_000) {
    told.add(where);
    logger.warn(
      `${where}: the check of a value against its schema took too long, so the value was rejected. Look for a pattern that backtracks, or for a union inside a union whose members have no tag (a property with a "const").`,
    );
  }
  return { ok: false, issues: [TOO_LONG] };
}

/**
 * Checks every `default` in a schema against its own schema.
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
      fix: `Use a default that the schema accepts, or widen the schema.`,
    });
  }
}

function refuse(errors: ErrorObject[] | null | undefined, data: JsonValue | undefined): Refused {
  const found = errors ?? [];
  // Of unions inside unions even the first failure can have thousands of errors; the last one speaks for all of them.
  return { ok: false, issues: issuesFromAjv(found.length > MAX_ERRORS ? found.slice(-1) : found, data) };
}

function compile(ajv: ReturnType<typeof createAjv>, json: JsonObject, where: string): ValidateFunction {
  try {
    return ajv.compile(json);
  } catch (error) {
    throw invalidSchema(where, messageOf(error));
  }
}

function invalidSchema(where: string, detail: string): DefinitionError {
  return new DefinitionError({
    where,
    problem: `its schema is not valid JSON Schema 2020-12, ${detail}`,
    fix: 'Correct the schema; its grammar is https://json-schema.org/draft/2020-12/schema.',
  });
}

function describe(issue: SchemaIssue | undefined): string {
  return issue === undefined ? 'it is refused' : `${issue.path === '' ? 'it' : issue.path} ${issue.message}`;
}
