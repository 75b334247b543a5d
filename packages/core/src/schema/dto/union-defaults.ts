import { isJsonObject, isRecord } from '../../protocol/json.js';
import type { DtoClass } from '../schema-source.js';
import { readClass } from './class-facts.js';
import type { PropertyFacts } from './class-facts.js';
import { nestedTargets } from './nested-target.js';

/**
 * Fills in the defaults of the classes in a discriminated union: ajv fills in none inside `oneOf`, because it can't
 * know which branch will fit. Changes the given value, which has passed the check.
 */
export function fillUnionDefaults(owner: DtoClass, value: unknown): void {
  if (!isRecord(value)) return;
  for (const facts of factsOf(owner)) {
    const byDefault = facts.field?.default ?? facts.field?.schema?.['default'];
    if (value[facts.wireName] === undefined && byDefault !== undefined) value[facts.wireName] = structuredClone(byDefault);
    const nested = value[facts.wireName];
    for (const element of Array.isArray(nested) ? nested : [nested]) {
      const target = targetOf(facts, element);
      if (target !== undefined) fillUnionDefaults(target, element);
    }
  }
}

function targetOf(facts: PropertyFacts, value: unknown): DtoClass | undefined {
  if (!isJsonObject(value)) return undefined;
  return nestedTargets(facts).find(({ tag }) => tag === undefined || value[tag.property] === tag.value)?.owner;
}

/** Facts of a class, which do not change after boot. */
const cache = new WeakMap<DtoClass, readonly PropertyFacts[]>();

function factsOf(owner: DtoClass): readonly PropertyFacts[] {
  const facts = cache.get(owner) ?? readClass(owner, 'input');
  cache.set(owner, facts);
  return facts;
}
