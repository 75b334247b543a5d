import type { JsonObject } from '../../protocol/json.js';
import { acceptsNull, nullable } from './absence.js';
import { ELEMENT, assertDatesAreMade, assertDerivable, uncertainType, BY_HAND, decoratorName, propertyFault } from './property-fault.js';
import type { PropertyFacts, Rule } from './class-facts.js';
import { mergeKeywords, TypeConflict, withFormat, withoutFormats } from './keywords.js';
import { unstated, type RuleKeywords, type RuleReader } from './rule-keywords.js';
import { STRING_RULES } from './string-rules.js';
import { ARRAY_RULES, OBJECT_RULES, VALUE_RULES } from './value-rules.js';

/** A property's schema, and whether it says all that the decorators say. */
export interface PropertySchema {
  readonly json: JsonObject;
  /** If not, class-validator has to check the instance too. */
  readonly whole: boolean;
}

/**
 * Which schema is meant. `advertised` says in what form a value should come. `checked` refuses only what class-validator would refuse: formats are advice
 * there, and a value that `@Type` or `@Transform` changes, or whose rules depend on a condition, is left to class-validator.
 */
export interface SchemaPart {
  readonly part: 'advertised' | 'checked';
  /** Whether `@IsOptional()` and a condition allow null. */
  readonly nullable: boolean;
  /** Who enforces what is derived. With `pipe` a pipe of the author's does, and the `checked` schema leaves it out. */
  readonly judge: 'framework' | 'pipe';
}

/** Rules that also mean something on an array's outside. */
const OUTSIDE: Readonly<Record<string, RuleReader>> = {
  ...ARRAY_RULES,
  isDefined: VALUE_RULES['isDefined']!,
  isNotEmpty: VALUE_RULES['isNotEmpty']!,
};
const INSIDE: Readonly<Record<string, RuleReader>> = { ...STRING_RULES, ...VALUE_RULES };
const NESTED: Readonly<Record<string, RuleReader>> = {
  ...OBJECT_RULES,
  isDefined: INSIDE['isDefined']!,
  isNotEmpty: INSIDE['isNotEmpty']!,
  isInstance: INSIDE['isInstance']!,
};

/**
 * Derives a property's schema from its decorators, then from its TypeScript type.
 * @param nested the schema of the class that it nests, if it does
 * @throws DefinitionError
 */
export function deriveSchema(facts: PropertyFacts, nested: JsonObject | undefined, part: SchemaPart): PropertySchema {
  assertDerivable(facts);
  const { json, whole } = ownSchema(facts, nested, part);
  if (part.part === 'checked' && part.judge === 'pipe') return { json: {}, whole: false };
  if (!part.nullable || facts.field?.header !== undefined) return { json, whole };
  const lenient = part.part === 'checked' && acceptsNull(facts);
  return { json: lenient || allowsNull(facts) ? nullable(json, part.part) : json, whole };
}

function ownSchema(facts: PropertyFacts, nested: JsonObject | undefined, { part }: SchemaPart): PropertySchema {
  const checks = facts.rules.filter((rule) => rule.kind === 'check');
  const derive = { nested, keepsFormats: part === 'advertised' };
  const left = leftToValidator(facts);
  if (facts.conversion === 'code') return { json: part === 'advertised' ? hint(facts, checks, derive) : {}, whole: false };
  const schema = isArray(facts) ? arraySchema(facts, checks, derive) : valueSchema(facts, checks, derive);
  if (left) return { json: part === 'advertised' ? schema.json : {}, whole: false };
  return schema;
}

interface Derivation {
  readonly nested: JsonObject | undefined;
  readonly keepsFormats: boolean;
}

/** Whether only class-validator can judge the value: its rules may not apply, or apply to what the value becomes. */
function leftToValidator({ rules, conversion }: PropertyFacts): boolean {
  return conversion !== 'none' || rules.some((rule) => rule.conditional || (rule.kind === 'condition' && rule.name !== 'isOptional'));
}

/**
 * Guesses the input of a `@Transform`, which nobody knows. If it returns a string or a number, it most likely takes one; the
 * bounds are those of the result.
 */
function hint(facts: PropertyFacts, checks: readonly Rule[], derive: Derivation): JsonObject {
  if (isArray(facts) || derive.nested !== undefined) return {};
  try {
    const { type } = valueSchema(facts, checks, derive).json;
    return type === 'string' ? { type } : type === 'number' || type === 'integer' ? { type: 'number' } : {};
  } catch {
    return {};
  }
}

/** Whether class-validator passes over the property when it is null. */
function allowsNull({ rules }: PropertyFacts): boolean {
  return rules.some((rule) => rule.kind === 'condition' && (rule.name === 'isOptional' || passesOverNull(rule)));
}

function passesOverNull({ args: [condition] }: Rule): boolean {
  try {
    return typeof condition === 'function' && condition({}, null) !== true;
  } catch {
    return true;
  }
}

function isArray({ rules, designType }: PropertyFacts): boolean {
  return designType === Array || rules.some((rule) => rule.each || (rule.name !== undefined && Object.hasOwn(ARRAY_RULES, rule.name)));
}

function arraySchema(facts: PropertyFacts, checks: readonly Rule[], derive: Derivation): PropertySchema {
  const outside = applyRules(facts, { type: 'array' }, { rules: checks.filter((rule) => !rule.each), readers: OUTSIDE, ...derive });
  const rules = checks.filter((rule) => rule.each);
  const items = valueSchema({ ...facts, designType: ELEMENT }, rules, derive);
  const schema = { json: { ...outside.json, items: items.json }, whole: outside.whole && items.whole };
  return derive.keepsFormats || isPrimitive(items.json) ? schema : withoutUniqueItems(schema);
}

/** class-validator compares by identity: two objects that look alike differ for it. */
function withoutUniqueItems({ json: { uniqueItems, ...json }, whole }: PropertySchema): PropertySchema {
  return { json, whole: whole && uniqueItems === undefined };
}

function isPrimitive({ type }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'object' && type !== 'array';
}

function valueSchema(facts: PropertyFacts, rules: readonly Rule[], derive: Derivation): PropertySchema {
  const { nested } = derive;
  const readers = nested === undefined ? INSIDE : NESTED;
  const { json, whole } = applyRules(facts, nested ?? {}, { rules, readers, ...derive });
  if (nested !== undefined) return { json, whole };
  assertDatesAreMade(facts, rules);
  const typed = withType(facts, json, rules);
  const filled = rules.some((rule) => rule.name === 'isNotEmpty') && typed['type'] === 'string' && needsLength(typed);
  return { json: withFormat(facts, filled ? { ...typed, minLength: 1 } : typed), whole };
}

function needsLength(json: JsonObject): boolean {
  return json['enum'] === undefined && json['const'] === undefined && !(Number(json['minLength']) > 0);
}

function applyRules(
  facts: PropertyFacts,
  start: JsonObject,
  by: { rules: readonly Rule[]; readers: Readonly<Record<string, RuleReader>> } & Derivation,
): PropertySchema {
  let json = start;
  let whole = true;
  for (const rule of by.rules) {
    const read = keywordsOf(facts, rule, by.readers);
    const keywords = by.keepsFormats ? read.keywords : withoutFormats(read.keywords);
    json = merge(facts, json, keywords);
    whole &&= read.whole && keywords === read.keywords;
  }
  return { json, whole };
}

/** The keywords that a rule means. A decorator of the application's own says nothing that a schema could repeat. */
function keywordsOf(facts: PropertyFacts, rule: Rule, readers: Readonly<Record<string, RuleReader>>): RuleKeywords {
  if (rule.name !== undefined && Object.hasOwn(readers, rule.name)) return readers[rule.name]!(rule.args);
  if (!isKnown(rule)) return unstated;
  throw propertyFault(facts, `${decoratorName(rule)} can't be expressed as JSON Schema here.`, BY_HAND);
}

function isKnown({ name }: Rule): boolean {
  return name !== undefined && (Object.hasOwn(INSIDE, name) || Object.hasOwn(ARRAY_RULES, name));
}

function merge(facts: PropertyFacts, json: JsonObject, keywords: JsonObject): JsonObject {
  try {
    return mergeKeywords(json, keywords);
  } catch (error) {
    if (!(error instanceof TypeConflict)) throw error;
    throw propertyFault(
      facts,
      `its decorators contradict each other: ${error.message}.`,
      'Remove one of them; on an array, { each: true } applies a decorator to the elements.',
    );
  }
}

/** Completes a schema that no decorator has given a type. */
function withType(facts: PropertyFacts, json: JsonObject, rules: readonly Rule[]): JsonObject {
  if (json['type'] !== undefined || json['enum'] !== undefined || json['const'] !== undefined) return json;
  const type = TYPES.get(facts.type?.target) ?? TYPES.get(facts.designType);
  if (type !== undefined) return { ...type, ...json };
  if (rules.some((rule) => !isKnown(rule) || UNTYPED.has(rule.name))) return json;
  throw uncertainType(facts);
}

/** Rules that check the value by themselves, whatever its type. */
const UNTYPED: ReadonlySet<string | undefined> = new Set(['isEmpty', 'isInstance', 'isIn', 'isNotIn', 'equals', 'isEnum']);

const TYPES = new Map<unknown, JsonObject>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, { type: 'string', format: 'date-time' }],
]);
