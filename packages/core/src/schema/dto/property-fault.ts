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
  const name = (owner as { name?: unknown }).name;
  return typeof name === 'string' && name !== '' ? name : '(class without a name)';
}

/** A rule as its decorator is written: `isInt` is `@IsInt()`. */
export function decoratorName(rule: Rule): string {
  if (rule.kind === 'nested') return '@ValidateNested()';
  if (rule.name === undefined) return 'its custom constraint';
  return `@${rule.name.charAt(0).toUpperCase()}${rule.name.slice(1)}()`;
}
