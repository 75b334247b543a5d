import { DefinitionError } from '../errors/definition-fault.js';
import type { JsonObject } from '../protocol/json.js';
import type { CompiledSchema } from './compiled-schema.js';
import { assertDefaultsFit, assertValidSchema, createJsonChecker } from './json-checker.js';
import type { CheckedValue, JsonChecker } from './json-checker.js';
import { deepFreeze } from './json-copy.js';
import { OutOfTime, runWithin, TOO_LONG } from './run-within.js';
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

/** Compiles a plan whose root may be of any type. */
export function compilePlan(plan: SchemaPlan, where: string): CompiledSchema {
  const check = checkerOf(plan, where);
  const needsWatch = watchOf(plan);
  const json = deepFreeze(plan.json);
  return {
    json,
    parse: (value) => {
      const result = check(plan.prepare === undefined ? value : plan.prepare(value));
      if (!result.ok) return result;
      return needsWatch(result.size) ? finishWatched(plan, result) : plan.finish(result.value);
    },
  };
}

/** Says for a value of `size` characters whether the library that reads it again is watched. */
function watchOf({ rereads, checked }: SchemaPlan): (size: number) => boolean {
  if (rereads === undefined) return () => false;
  return rereads === 'always' ? () => true : checkRiskOf(checked).reread;
}

/** How long a library may take that reads the value again, in ms; each 5,000 characters add one. The author's own rules are stopped as well. */
const FINISH_MS = 150;
const MAX_FINISH_MS = 500;

function finishWatched(plan: SchemaPlan, { value, size }: CheckedValue): ReturnType<SchemaPlan['finish']> {
  try {
    return runWithin(Math.min(MAX_FINISH_MS, FINISH_MS + Math.ceil(size / 5_000)), () => plan.finish(value));
  } catch (error) {
    if (error instanceof OutOfTime) return { ok: false, issues: [TOO_LONG] };
    throw error;
  }
}

/** Schemas that are alike share a checker: a schema written inside a method comes anew with each call. */
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
    problem: `its schema has ${found} at the root. Arguments are an object: the root must say "type": "object".`,
    mend: 'Wrap it in an object with one named property; for a union of objects, put the union under that property or add "type": "object" beside it.',
  });
}
