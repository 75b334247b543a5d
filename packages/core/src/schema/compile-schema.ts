import { DefinitionError } from '../errors/definition-fault.js';
import type { JsonObject } from '../protocol/json.js';
import type { CompiledSchema, PendingDto, SchemaResult } from './compiled-schema.js';
import { assertDefaultsFit, assertValidSchema, createJsonChecker } from './json-checker.js';
import type { JsonChecker } from './json-checker.js';
import { deepFreeze, jsonText } from './json-copy.js';
import { computeWithin, OutOfTime, TOO_LONG } from './run-within.js';
import { assertSchemaIsSelfContained } from './schema-faults.js';
import { planSchema } from './plan-schema.js';
import type { CompileSchemaOptions, SchemaPlan } from './schema-plan.js';
import type { SchemaSource } from './schema-source.js';
import { checkRiskOf } from './check-risk.js';
import { warnOfSlowPatterns } from './slow-patterns.js';

export { isSchemaSource } from './schema-source.js';
export type { CompileSchemaOptions } from './schema-plan.js';

/**
 * Compiles a schema once, at boot.
 * @throws DefinitionError if the source states something that JSON Schema 2020-12 can't, is no valid schema, refers
 *   outside itself, exceeds the bounds (64 deep, 5,000 subschemas), or, for input, has another root than `type: "object"`
 */
export function compileSchema(source: SchemaSource, options: CompileSchemaOptions): CompiledSchema {
  const plan = planSchema(source, options);
  if (options.use === 'input') assertObjectRoot(plan.json, options.where);
  return compilePlan(plan, options.where);
}

/** A plan, and the DTOs in it that can be finished one by one. */
export interface StagedPlan extends SchemaPlan {
  /** As `finish`, without the DTOs in `pending`. @default `finish` without a DTO; with one nothing else needs finishing */
  readonly begin?: Finish | undefined;
  /** @default the plan's own DTO, if it is one */
  readonly pending?: readonly PendingDto[];
  /** @default none */
  readonly converted?: CompiledSchema['converted'];
}

/** Compiles a plan whose root may be of any type. */
export function compilePlan(plan: StagedPlan, where: string): CompiledSchema {
  const check = checkerOf(plan, where);
  const watchAbove = watchAboveOf(plan);
  const { finish } = plan;
  const json = deepFreeze(plan.json);
  const parseWith =
    (work: Finish | undefined): Finish =>
    (value) => {
      const result = check(plan.prepare === undefined ? value : plan.prepare(value));
      if (!result.ok) return result;
      const complete = plan.complete?.(result.value);
      if (complete?.ok === false) return complete;
      if (work === undefined) return { ok: true, value: result.value };
      return result.size > watchAbove ? finishWatched(work, result.value, result.size) : work(result.value);
    };
  const pending = plan.pending ?? (plan.dto === undefined || finish === undefined ? [] : [{ owner: plan.dto, finish }]);
  return {
    json,
    parse: parseWith(finish),
    begin: parseWith(plan.begin ?? (plan.dto === undefined ? finish : undefined)),
    converted: plan.converted,
    dtos: pending.map((dto) => ({
      ...dto,
      finish: (value) => {
        const size = sizeOf(value);
        return size > watchAbove ? finishWatched(dto.finish, value, size) : dto.finish(value);
      },
    })),
  };
}

type Finish = (value: unknown) => SchemaResult | Promise<SchemaResult>;

/** The length of a value's text; a value that a pipe has made may have none. */
function sizeOf(value: unknown): number {
  try {
    return jsonText(value)?.length ?? 0;
  } catch {
    return 0;
  }
}

/** The size of a value, in characters, above which the library that reads it again is watched. */
function watchAboveOf({ rereads, checked }: SchemaPlan): number {
  if (rereads === undefined) return Infinity;
  return rereads === 'always' ? -1 : checkRiskOf(checked).rereadAbove;
}

/**
 * How long a library may take that reads the value again, in ms of processor time; each 5,000 characters add one. The author's own rules are stopped as
 * well, and run again where the machine was too busy to run them.
 */
const FINISH_MS = 150;
const MAX_FINISH_MS = 350;

function finishWatched(work: Finish, value: unknown, size: number): ReturnType<Finish> {
  try {
    return computeWithin(Math.min(MAX_FINISH_MS, FINISH_MS + Math.ceil(size / 5_000)), () => work(value));
  } catch (error) {
    if (error instanceof OutOfTime) return { ok: false, issues: [TOO_LONG] };
    throw error;
  }
}

/** Equal schemas share a checker: a schema written inside a method is a new object in each call. */
const checkers = new Map<string, JsonChecker>();
const MAX_CHECKERS = 256;

function checkerOf(plan: SchemaPlan, where: string): JsonChecker {
  assertSchemaIsSelfContained(plan.json, where);
  const key = JSON.stringify([plan.json, plan.checked]);
  const known = checkers.get(key);
  if (known !== undefined) return known;
  assertValidSchema(plan.json, where);
  const check = createJsonChecker(plan.checked, where);
  assertDefaultsFit(plan.checked, where);
  warnOfSlowPatterns(plan.checked, where);
  if (checkers.size >= MAX_CHECKERS) checkers.delete(checkers.keys().next().value!);
  checkers.set(key, check);
  return check;
}

function assertObjectRoot(json: JsonObject, where: string): void {
  if (json['type'] === 'object') return;
  const found = json['type'] === undefined ? 'no "type"' : `the type ${JSON.stringify(json['type'])}`;
  throw new DefinitionError({
    where,
    problem: `its schema has ${found} at the root. Arguments are an object, so the root must have "type": "object".`,
    fix: 'Wrap it in an object with one named property; for a union of objects, put the union under that property or add "type": "object" beside it.',
  });
}
