import 'reflect-metadata';
import { ARRAY_UNIQUE, getMetadataStorage } from 'class-validator';
import type { JsonObject } from '../../protocol/json.js';
import { isDtoClass, type DtoClass } from '../schema-source.js';
import { assertFieldOptionsExist, fieldOptionsOf, isFieldMark, type McpFieldOptions } from './field-options.js';
import { swaggerFacts } from './swagger-facts.js';
import {
  assertStorageIsShared,
  conversionOf,
  hasExpose,
  isExposed,
  typeFacts,
  wireName,
  type TypeFacts,
  type Use,
} from './transformer-facts.js';

export type { TypeFacts } from './transformer-facts.js';

/** One class-validator decorator on a property. */
export interface Rule {
  /** `nested`: @ValidateNested. `condition`: @IsOptional, @ValidateIf. `none`: @Allow. `check`: all others. */
  readonly kind: 'check' | 'nested' | 'condition' | 'none' | 'promise';
  /** class-validator's name (`isInt`); a custom constraint may have none. */
  readonly name: string | undefined;
  readonly args: readonly unknown[];
  /** The rule applies to each element of an array. */
  readonly each: boolean;
  /** It applies only while a function says so. */
  readonly conditional: boolean;
}

/** All that is known of one property of a DTO. */
export interface PropertyFacts {
  readonly owner: DtoClass;
  readonly name: string;
  /** Its name in JSON, which `@Expose({ name })` may change. */
  readonly wireName: string;
  readonly rules: readonly Rule[];
  /** TypeScript's `design:type`, if it is a class; `Object` says nothing. */
  readonly designType: unknown;
  readonly type: TypeFacts | undefined;
  readonly field: McpFieldOptions | undefined;
  /** Keywords of JSON Schema from `@ApiProperty`. */
  readonly api: JsonObject;
  /** The class gives it a value itself (`limit = 20`). */
  readonly initialised: boolean;
  /**
   * How the incoming value is converted before the decorators check it: `@Type(() => Number)` converts it (`type`), a
   * `@Transform` or a setter may do anything (`code`).
   */
  readonly conversion: 'none' | 'type' | 'code';
  /** class-transformer sets it even if it is absent, so that a `@Transform` may give it a value. */
  readonly exposed: boolean;
}

/**
 * Reads what class-validator, class-transformer, `@McpField`, `@ApiProperty` and TypeScript have stored of a class. A property that only TypeScript
 * knows leaves no trace and is not in the list; one that `@Exclude` keeps from this use isn't either. A base class's properties come first.
 * @throws DefinitionError if class-transformer's decorators can't be read
 * @throws McpDefinitionsError if an `@McpField` has an option that does not exist
 */
export function readClass(owner: DtoClass, use: Use): readonly PropertyFacts[] {
  assertStorageIsShared(owner.name);
  const rules = rulesByProperty(owner);
  const fields = fieldOptionsOf(owner);
  assertFieldOptionsExist(owner, fields);
  const names = declarationOrder(owner, new Set([...rules.keys(), ...fields.keys()]));
  const initial = initialValues(owner);
  const prototype: object = owner.prototype;
  return names
    .filter((name) => isExposed(owner, name, use))
    .map((name) => ({
      owner,
      name,
      wireName: wireName(owner, name, use),
      rules: rules.get(name) ?? [],
      designType: Reflect.getMetadata('design:type', prototype, name),
      type: typeFacts(owner, name),
      field: fields.get(name),
      api: swaggerFacts(prototype, name),
      initialised: isInitialised(owner, name, initial),
      conversion: conversionOf(owner, name, use),
      exposed: hasExpose(owner, name),
    }));
}

function rulesByProperty(owner: DtoClass): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  // class-validator's own selection: what `validate(instance)` would apply, inherited and overridden its way.
  const stored = getMetadataStorage().getTargetValidationMetadatas(owner, '', false, false);
  for (const entry of stored) {
    if (isFieldMark(entry)) continue;
    const rule: Rule = {
      kind: KINDS[entry.type] ?? 'check',
      name: entry.name,
      args: entry.name === ARRAY_UNIQUE ? [comparesByFunction(entry.constraintCls)] : (entry.constraints ?? []),
      each: entry.each,
      conditional: entry.validateIf !== undefined,
    };
    // Decorators run from the bottom up; the reverse is the order in which they are read.
    rules.set(entry.propertyName, [rule, ...(rules.get(entry.propertyName) ?? [])]);
  }
  return rules;
}

const KINDS: Readonly<Record<string, Rule['kind']>> = {
  nestedValidation: 'nested',
  conditionalValidation: 'condition',
  whitelistValidation: 'none',
  promiseValidation: 'promise',
};

/** Base classes first, and within a class as declared: the way the class reads. */
function declarationOrder(owner: DtoClass, names: ReadonlySet<string>): string[] {
  const chain: DtoClass[] = [];
  for (let at: unknown = owner; isDtoClass(at); at = Object.getPrototypeOf(at)) chain.unshift(at);
  const declared = chain.flatMap((at) => [...rulesByProperty(at).keys(), ...fieldOptionsOf(at).keys()]);
  return [...new Set(declared)].filter((name) => names.has(name));
}

function isInitialised(owner: DtoClass, name: string, initial: object): boolean {
  if (hasExpose(owner, name)) return false;
  return Object.getOwnPropertyDescriptor(initial, name)?.value !== undefined;
}

function initialValues(owner: DtoClass): object {
  try {
    // As class-transformer does for each value: a DTO can be made without arguments.
    return Reflect.construct(owner, []);
  } catch {
    return {};
  }
}

/** Whether `@ArrayUnique` was given a function. It stores that nowhere, but `map`s the array with it before it compares. */
function comparesByFunction(constraint: Function): boolean {
  let mapped = false;
  const array = Object.assign([], { map: () => ((mapped = true), []) });
  try {
    Reflect.construct(constraint, []).validate(array);
    return mapped;
  } catch {
    return true;
  }
}
