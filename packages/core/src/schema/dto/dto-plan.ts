import { instanceToPlain, plainToInstance } from 'class-transformer';
import type { ClassConstructor } from 'class-transformer';
import { validate } from 'class-validator';
import { isJsonObject } from '../../protocol/json.js';
import type { SchemaResult } from '../compiled-schema.js';
import { isPlainObject } from '../json-copy.js';
import type { CompileSchemaOptions, SchemaPlan } from '../schema-plan.js';
import type { DtoClass } from '../schema-source.js';
import { cloneInstances } from './clone-instances.js';
import { dtoSchema } from './dto-schema.js';
import { fillUnionDefaults } from './union-defaults.js';
import { issuesFromClassValidator } from './validation-issues.js';
import { isCrowded, MAX_PROPERTIES, withoutPrototypeKeys } from './prototype-keys.js';

/**
 * Plans a class-validator DTO: what the class says becomes the schema; what has passed it becomes an instance.
 *
 * - Keys that the class doesn't declare are accepted and kept, as Nest's ValidationPipe does unless told otherwise:
 *   a DTO that serves a REST route then takes the same bodies here. `__proto__`, `constructor` and `prototype` are
 *   dropped at every level.
 * - `@Transform` runs when the instance is made, after the raw input has been checked.
 * - class-validator runs on the instance only if some decorator says more than JSON Schema can; so everything it would
 *   refuse is refused, by one or the other.
 * - For output an instance is turned to plain JSON as Nest's ClassSerializerInterceptor does (`@Exclude`, `@Expose`); the
 *   schema alone is checked.
 * @throws DefinitionError naming `Class.property`
 */
export function planDto(source: DtoClass, { use }: CompileSchemaOptions): SchemaPlan {
  const { json, whole, hasUnion } = dtoSchema(source, use);
  if (use === 'output') {
    return { json, checked: json, prepare: (value) => serialise(value, hasUnion), finish: (value) => ({ ok: true, value }) };
  }
  const type = source as unknown as ClassConstructor<object>;
  // What must differ class-validator compares each with each.
  const rereads = JSON.stringify(json).includes('"uniqueItems":true') ? 'always' : 'watched';
  return {
    json,
    checked: json,
    ...(!whole && { rereads }),
    finish: (copy) => {
      if (isCrowded(copy)) return { ok: false, issues: [{ path: '', message: `has an object of more than ${MAX_PROPERTIES} properties` }] };
      const clean = withoutPrototypeKeys(copy);
      if (hasUnion) fillUnionDefaults(source, clean);
      const instance = plainToInstance(type, clean);
      return whole ? { ok: true, value: instance } : validated(instance);
    },
  };
}

async function validated(instance: object): Promise<SchemaResult> {
  const errors = await validate(instance, { forbidUnknownValues: false, validationError: { target: false, value: false } });
  return errors.length === 0 ? { ok: true, value: instance } : { ok: false, issues: issuesFromClassValidator(errors) };
}

function serialise(value: unknown, hasUnion: boolean): unknown {
  if (!isJsonObject(value) || isPlainObject(value)) return value;
  return instanceToPlain(hasUnion ? cloneInstances(value) : value);
}
