import type { PropertyFacts, Rule } from './class-facts.js';
import { STRING_RULES } from './string-rules.js';
import { ARRAY_RULES, VALUE_RULES } from './value-rules.js';
import type { JsonObject, JsonValue } from '../../protocol/json.js';

/** Rules that a value which is not there passes. */
const INDIFFERENT: ReadonlySet<string> = new Set(['isNotIn', 'notEquals', 'isEmpty']);

/**
 * Whether class-validator may accept that the property is absent, though it does not say so: `@ValidateNested()` alone
 * skips it, and the behaviour of the application's own decorators is unknown.
 */
export function acceptsAbsence({ rules }: PropertyFacts): boolean {
  return rules.length > 0 && !rules.some(refusesAbsence);
}

/**
 * Whether class-validator may accept null, though no condition of the property says so. `@ValidateNested()` rejects
 * it, whatever else is there.
 */
export function acceptsNull(facts: PropertyFacts): boolean {
  return acceptsAbsence(facts) && !facts.rules.some(({ kind }) => kind === 'nested');
}

function refusesAbsence({ kind, name, conditional }: Rule): boolean {
  if (kind !== 'check' || conditional || name === undefined || INDIFFERENT.has(name)) return false;
  return [STRING_RULES, VALUE_RULES, ARRAY_RULES].some((known) => Object.hasOwn(known, name));
}

/** Keywords that say nothing of null beside a `type` that allows it. */
const SILENT = new Set([
  'type', 'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'items', 'minItems', 'maxItems', 'uniqueItems', 'contains',
  'minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum',
]); // prettier-ignore

/**
 * The schema that also allows null, for people to read or to check with: problems inside an `if` are reported as they
 * are; of an `anyOf` only that no branch fits.
 */
export function nullable(schema: JsonObject, part: 'advertised' | 'checked'): JsonObject {
  const { type, enum: values } = schema;
  if (type === 'null' || Object.keys(schema).length === 0) return schema;
  if (typeof type !== 'string' || Object.keys(schema).some((keyword) => !SILENT.has(keyword))) {
    return part === 'checked' ? { if: { type: 'null' }, else: schema } : { anyOf: [schema, { type: 'null' }] };
  }
  const allowed = { ...schema, type: [type, 'null'] };
  return Array.isArray(values) ? { ...allowed, enum: withNull(values) } : allowed;
}

function withNull(values: readonly JsonValue[]): JsonValue[] {
  return values.includes(null) ? [...values] : [...values, null];
}
