import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import type { SchemaResult, SchemaIssue } from '../compiled-schema.js';
import type { DtoClass } from '../schema-source.js';
import { boundIssues, formatPath } from '../schema-issues.js';

/** A DTO that is to be made. */
export interface DtoToMake {
  readonly owner: DtoClass;
  /** The check of the plain value has refused all that class-validator would refuse. */
  readonly whole: boolean;
}

/**
 * Makes the DTO of a plain value and has class-validator judge it, each decorator once. This is the only place where the framework itself runs the
 * author's class-transformer and class-validator decorators on what a client sent, so that whoever calls it can bound its time.
 */
export function makeDto({ owner, whole }: DtoToMake, plain: unknown): SchemaResult | Promise<SchemaResult> {
  const instance = plainToInstance<object, unknown>(owner as unknown as ClassConstructor<object>, plain);
  return whole ? { ok: true, value: instance } : judged(instance);
}

async function judged(instance: object): Promise<SchemaResult> {
  const errors = await validate(instance, { forbidUnknownValues: false, validationError: { target: false, value: false } });
  return errors.length === 0 ? { ok: true, value: instance } : { ok: false, issues: issuesFromClassValidator(errors) };
}

const MAX_MESSAGE = 300;

/** Says class-validator's errors as issues: one for each failed decorator, nested ones under their path. */
function issuesFromClassValidator(errors: readonly ValidationError[]): readonly SchemaIssue[] {
  return boundIssues(errors.flatMap((error) => flatten(error, [])));
}

function flatten(error: ValidationError, above: readonly PropertyKey[]): SchemaIssue[] {
  const keys = [...above, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const path = formatPath(keys);
  // An author's own message may hold `$value`, which may be long.
  const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message: message.slice(0, MAX_MESSAGE) }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, keys))];
}
