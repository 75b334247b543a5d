import type { PropertyFacts, Rule } from './class-facts.js';
import { BY_HAND, propertyFault } from './property-fault.js';

/** Stands in for the TypeScript type of an array's elements, which TypeScript does not emit. */
export const ELEMENT = Symbol('element of an array');

/**
 * Refuses a property whose decorators no schema can follow.
 * @throws DefinitionError
 */
export function assertDerivable(facts: PropertyFacts): void {
  if (facts.designType === Map || facts.designType === Set) {
    throw propertyFault(facts, `it is a ${facts.designType === Map ? 'Map' : 'Set'}, which JSON does not have.`, BY_HAND);
  }
  if (facts.rules.some((rule) => rule.kind === 'promise')) {
    throw propertyFault(facts, '@ValidatePromise() expects a promise, which JSON does not have.', BY_HAND);
  }
}

const DATE_RULES = new Set(['isDate', 'minDate', 'maxDate']);

/**
 * Refuses a `Date` that nothing makes of the string that JSON has.
 * @throws DefinitionError
 */
export function assertDatesAreMade(facts: PropertyFacts, rules: readonly Rule[]): void {
  const wantsDate = facts.designType === Date || rules.some((rule) => rule.name !== undefined && DATE_RULES.has(rule.name));
  if (!wantsDate || facts.type?.target === Date || facts.conversion === 'code') return;
  throw propertyFault(
    facts,
    'it is a Date, but nothing converts the JSON string to a Date.',
    'Add @Type(() => Date) from class-transformer.',
  );
}

/** The fault of a property whose type is uncertain. */
export function uncertainType(facts: PropertyFacts): Error {
  const array = facts.designType === ELEMENT;
  const decorators = array
    ? 'Add @IsString({ each: true }) or similar; for a class, @Type(() => TheClass) and @ValidateNested({ each: true }).'
    : 'Add a decorator that states the type, such as @IsString(); for a class, @Type(() => TheClass) and @ValidateNested().';
  return propertyFault(
    facts,
    `the type of ${array ? 'its elements' : 'its value'} cannot be determined from TypeScript's metadata alone.`,
    `${decorators} Or @McpField({ schema: { ... } }).`,
  );
}
