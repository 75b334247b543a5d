import type { JsonObject } from '../../protocol/json.js';
import { ELEMENT, assertDatesAreMade, assertDerivable, uncertainType } from './derivable.js';
import type { PropertyFacts, Rule } from './class-facts.js';
import { mergeKeywords, TypeConflict } from './merge-keywords.js';
import { BY_HAND, decoratorName, propertyFault } from './property-fault.js';
import type { RuleReader } from './rule-outcome.js';
import { STRING_RULES } from './string-rules.js';
import { ARRAY_RULES, OBJECT_RULES, VALUE_RULES } from './value-rules.js';

/** A property's schema, and whether it says all that the decorators say. */
export interface PropertySchema {
  readonly json: JsonObject;
  /** If not, class-validator has to check the instance too. */
  readonly whole: boolean;
}

/** Rules that also mean something on an array's outside. */
const OUTSIDE: Readonly<Record<string, RuleReader>> = {
  ...ARRAY_RULES,
  isDefined: VALUE_RULES['isDefined']!,
  isNotEmpty: VALUE_RULES['isNotEmpty']!,
};
const INSIDE: Readonly<Record<string, RuleReader>> = { ...STRING_RULES, ...VALUE_RULES };

/**
 * Derives a property's schema from its decorators, then from its TypeScript type.
 * @param nested the schema of the class that it nests, if it does
 * @throws DefinitionError
 */
export function deriveSchema(facts: PropertyFacts, nested: JsonObject | undefined): PropertySchema {
  assertDerivable(facts);
  // @ValidateIf makes the other rules depend on a function, which only class-validator can call.
  const conditional = facts.rules.some((rule) => rule.kind === 'condition' && rule.name !== 'isOptional');
  const checks = facts.rules.filter((rule) => rule.kind === 'check');
  const schema = isArray(facts) ? arraySchema(facts, checks, nested) : valueSchema(facts, checks, nested);
  return conditional ? { ...schema, whole: false } : schema;
}

function isArray({ rules, designType }: PropertyFacts): boolean {
  return designType === Array || rules.some((rule) => rule.each || (rule.name !== undefined && Object.hasOwn(ARRAY_RULES, rule.name)));
}

function arraySchema(facts: PropertyFacts, checks: readonly Rule[], nested: JsonObject | undefined): PropertySchema {
  const outside = applyRules(facts, { type: 'array' }, { rules: checks.filter((rule) => !rule.each), readers: OUTSIDE });
  const rules = checks.filter((rule) => rule.each);
  const items = valueSchema({ ...facts, designType: ELEMENT }, rules, nested);
  return { json: { ...outside.json, items: items.json }, whole: outside.whole && items.whole };
}

function valueSchema(facts: PropertyFacts, rules: readonly Rule[], nested: JsonObject | undefined): PropertySchema {
  const readers = nested === undefined ? INSIDE : { ...OBJECT_RULES, isDefined: INSIDE['isDefined']!, isNotEmpty: INSIDE['isNotEmpty']! };
  const { json, whole } = applyRules(facts, nested ?? {}, { rules, readers });
  if (nested !== undefined) return { json, whole };
  const typed = withType(facts, json);
  assertDatesAreMade(facts, rules);
  const filled = rules.some((rule) => rule.name === 'isNotEmpty') && typed['type'] === 'string' && needsLength(typed);
  return { json: withFormat(facts, filled ? { ...typed, minLength: 1 } : typed), whole };
}

function needsLength(json: JsonObject): boolean {
  return json['enum'] === undefined && json['const'] === undefined && !(Number(json['minLength']) > 0);
}

function applyRules(
  facts: PropertyFacts,
  start: JsonObject,
  by: { rules: readonly Rule[]; readers: Readonly<Record<string, RuleReader>> },
): PropertySchema {
  let json = start;
  let whole = true;
  for (const rule of by.rules) {
    const reader = rule.name !== undefined && Object.hasOwn(by.readers, rule.name) ? by.readers[rule.name] : undefined;
    if (reader === undefined) throw propertyFault(facts, `${decoratorName(rule)} can't be stated as JSON Schema here.`, BY_HAND);
    const outcome = reader(rule.args);
    if ('cannot' in outcome)
      throw propertyFault(facts, `${decoratorName(rule)} can't be stated as JSON Schema: ${outcome.cannot}.`, BY_HAND);
    json = merge(facts, json, outcome.keywords);
    whole &&= outcome.whole;
  }
  return { json, whole };
}

function merge(facts: PropertyFacts, json: JsonObject, keywords: JsonObject): JsonObject {
  try {
    return mergeKeywords(json, keywords);
  } catch (error) {
    if (!(error instanceof TypeConflict)) throw error;
    throw propertyFault(
      facts,
      `its decorators contradict each other: ${error.message}.`,
      'Take one of them away; for an array, { each: true } makes a decorator stand for the elements.',
    );
  }
}

/** Completes a schema that no decorator has given a type. */
function withType(facts: PropertyFacts, json: JsonObject): JsonObject {
  if (json['type'] !== undefined || json['enum'] !== undefined || json['const'] !== undefined) return json;
  const type = TYPES.get(facts.type?.target) ?? TYPES.get(facts.designType);
  if (type !== undefined) return { ...type, ...json };
  throw uncertainType(facts);
}

const TYPES = new Map<unknown, JsonObject>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, { type: 'string', format: 'date-time' }],
]);

function withFormat({ field }: PropertyFacts, json: JsonObject): JsonObject {
  if (field?.format === undefined) return json;
  const { anyOf, ...rest } = json;
  // The alternatives that a format decorator gives are formats; the author's one format is narrower.
  const onlyFormats = Array.isArray(anyOf) && anyOf.every((branch) => typeof branch === 'object' && branch !== null && 'format' in branch);
  return { ...(onlyFormats || anyOf === undefined ? rest : json), format: field.format };
}
