import { plainToInstance } from 'class-transformer';
import type { ClassConstructor } from 'class-transformer';
import { validate } from 'class-validator';
import type { SchemaResult } from '../compiled-schema.js';
import type { DtoClass } from '../schema-source.js';
import { issuesFromClassValidator } from './validation-issues.js';

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
