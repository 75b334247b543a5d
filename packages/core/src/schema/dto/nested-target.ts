import { isDtoClass } from '../schema-source.js';
import type { DtoClass } from '../schema-source.js';
import type { PropertyFacts } from './class-facts.js';
import { className, propertyFault } from './property-fault.js';

/** The value of a discriminator property, as the branch that it stands for requires it. */
export interface Tag {
  readonly property: string;
  readonly value: string;
}

/** A class that a property's value, or each element of it, is an instance of. */
export interface NestedTarget {
  readonly owner: DtoClass;
  readonly tag?: Tag;
}

/**
 * The classes that a property nests: none, one, or those of a discriminated union.
 * @throws DefinitionError on `@ValidateNested()` without a class, or on a union without classes
 */
export function nestedTargets(facts: PropertyFacts): readonly NestedTarget[] {
  if (facts.field?.schema !== undefined) return [];
  const { type } = facts;
  if (type?.discriminator !== undefined) return unionTargets(facts, type.discriminator);
  if (isDtoClass(type?.target)) return [{ owner: type.target }];
  if (facts.rules.some((rule) => rule.kind === 'nested')) throw withoutType(facts);
  return [];
}

function unionTargets(facts: PropertyFacts, union: NonNullable<NonNullable<PropertyFacts['type']>['discriminator']>): NestedTarget[] {
  if (union.subTypes.length === 0) {
    throw propertyFault(facts, 'its discriminator lists no subTypes.', 'List each: subTypes: [{ name: "cat", value: Cat }].');
  }
  return union.subTypes.map(({ name, value }) => {
    if (!isDtoClass(value))
      throw propertyFault(facts, `the subtype "${name}" of its discriminator is not a class.`, 'Give a class with decorated properties.');
    return { owner: value, tag: { property: union.property, value: name } };
  });
}

function withoutType(facts: PropertyFacts): Error {
  const array = facts.designType === Array || facts.rules.some((rule) => rule.each);
  const known = isDtoClass(facts.designType) ? className(facts.designType) : 'TheClass';
  return propertyFault(
    facts,
    '@ValidateNested() does not state the class of the value, so class-transformer would leave it a plain object.',
    `Add @Type(() => ${known})${array ? ', the class of one element,' : ''} from class-transformer.`,
  );
}
