import { DefinitionError } from '../../errors/definition-fault.js';
import type { PropertyFacts, Rule } from './class-facts.js';

/** The fix for everything that can't be derived. */
export const BY_HAND =
  "State the property's schema by hand: @McpField({ schema: { type: 'string' /* JSON Schema 2020-12 */ } }). class-validator's decorators are still enforced, after it.";

/** A fault of one property of a DTO, named `Class.property`. */
export function propertyFault(facts: PropertyFacts, problem: string, fix: string): DefinitionError {
  return new DefinitionError({ where: `${className(facts.owner)}.${facts.name}`, problem, fix });
}

/** A class's name for people. */
export function className(owner: object): string {
  const name: unknown = 'name' in owner ? owner.name : undefined;
  return typeof name === 'string' && name !== '' ? name : '(class without a name)';
}

/** A rule as its decorator is written: `isInt` is `@IsInt()`. */
export function decoratorName(rule: Rule): string {
  if (rule.kind === 'nested') return '@ValidateNested()';
  if (rule.name === undefined) return 'its custom constraint';
  return `@${rule.name.charAt(0).toUpperCase()}${rule.name.slice(1)}()`;
}

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
