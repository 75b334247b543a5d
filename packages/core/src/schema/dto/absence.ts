import type { PropertyFacts, Rule } from './class-facts.js';
import { STRING_RULES } from './string-rules.js';
import { ARRAY_RULES, VALUE_RULES } from './value-rules.js';

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
