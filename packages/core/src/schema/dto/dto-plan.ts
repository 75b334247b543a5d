import { isRecord } from '../../protocol/json.js';
import type { SchemaResult } from '../compiled-schema.js';
import type { CompileSchemaOptions, SchemaPlan } from '../schema-plan.js';
import type { DtoClass } from '../schema-source.js';
import { serialise } from './serialise.js';
import { dtoSchema } from './dto-schema.js';
import { makeDto } from './make-dto.js';
import { fillUnionDefaults } from './union-defaults.js';

/**
 * Plans a class-validator DTO: what the class says becomes the schema; what has passed it becomes an instance, which class-validator judges.
 *
 * - Keys that the class doesn't declare are accepted and kept, as Nest's ValidationPipe does unless told otherwise:
 *   a DTO that serves a REST route then takes the same bodies here. `__proto__`, `constructor` and `prototype` are
 *   dropped at every level.
 * - The check refuses nothing that class-validator would accept once `@Type` and `@Transform` have run.
 * - class-validator runs on the instance only if some decorator says more than the check; so everything it would
 *   refuse is refused, by one or the other.
 * - For output an instance is turned to plain JSON as Nest's ClassSerializerInterceptor does (`@Exclude`, `@Expose`); the
 *   schema alone is checked.
 * @throws DefinitionError naming `Class.property`
 */
export function planDto(source: DtoClass, { use, nullable = true, judge = 'framework' }: CompileSchemaOptions): SchemaPlan {
  const { json, checked, whole, slow, hasUnion } = dtoSchema(source, { use, nullable, judge });
  if (use === 'output') {
    return { json, checked, prepare: (value) => serialise(value, hasUnion) };
  }
  return {
    json,
    checked,
    dto: source,
    // Whatever the check does not repeat may take long: a pattern with a flag, items compared with each other, the application's own code.
    // What must differ class-validator compares each with each.
    rereads: whole ? undefined : slow || JSON.stringify(json).includes('"uniqueItems":true') ? 'always' : 'watched',
    complete: (copy) => complete(source, copy, hasUnion),
    finish: (plain) => makeDto({ owner: source, whole }, plain),
  };
}

/** Keeps from everybody what no instance may be made of, and fills in the defaults that the check could not. */
function complete(source: DtoClass, copy: unknown, hasUnion: boolean): SchemaResult {
  if (isCrowded(copy)) return { ok: false, issues: [{ path: '', message: `has an object of more than ${MAX_PROPERTIES} properties` }] };
  const value = withoutPrototypeKeys(copy);
  if (hasUnion) fillUnionDefaults(source, value);
  return { ok: true, value };
}

const DROPPED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** How many properties an object of a DTO may have: class-transformer compares the name of each with all the others. */
const MAX_PROPERTIES = 5_000;

/** Whether an object anywhere in a value has more than `MAX_PROPERTIES`. */
function isCrowded(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: unknown[] = Object.values(value);
  return (!Array.isArray(value) && members.length > MAX_PROPERTIES) || members.some(isCrowded);
}

/**
 * Drops the keys that reach a prototype once a value becomes an instance; class-transformer even calls an own
 * `constructor` of an untyped object. Changes the JSON value it is given and returns it.
 */
function withoutPrototypeKeys(value: unknown): unknown {
  if (!isRecord(value)) return value;
  for (const key of Object.keys(value)) {
    if (DROPPED.has(key)) delete value[key];
    else withoutPrototypeKeys(value[key]);
  }
  return value;
}
