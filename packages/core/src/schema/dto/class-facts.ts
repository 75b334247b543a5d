import 'reflect-metadata';
// What `@Type`, `@Expose` and `@Exclude` said can be read nowhere else.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { TransformationType } from 'class-transformer';
import { ARRAY_UNIQUE, getMetadataStorage } from 'class-validator';
import type { DtoClass } from '../schema-source.js';
import { comparesByFunction } from './array-unique.js';
import { fieldOptionsOf } from './field-options.js';
import type { McpFieldOptions } from './field-options.js';

/** One class-validator decorator on a property. */
export interface Rule {
  /** `nested`: @ValidateNested. `condition`: @IsOptional, @ValidateIf. `none`: @Allow. `check`: all others. */
  readonly kind: 'check' | 'nested' | 'condition' | 'none' | 'promise';
  /** class-validator's name (`isInt`); a custom constraint may have none. */
  readonly name: string | undefined;
  readonly args: readonly unknown[];
  /** It stands for each element of an array. */
  readonly each: boolean;
  /** Groups it is restricted to; empty if it always applies. */
  readonly groups: readonly string[];
  /** It applies only while a function says so. */
  readonly conditional: boolean;
}

/** What `@Type` says. */
export interface TypeFacts {
  readonly target: unknown;
  readonly discriminator?: { readonly property: string; readonly subTypes: readonly { readonly name: string; readonly value: unknown }[] };
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
  /** The class gives it a value itself (`limit = 20`). */
  readonly initialised: boolean;
}

type Use = 'input' | 'output';

/**
 * Reads what class-validator, class-transformer, `@McpField` and TypeScript have stored of a class. This is the
 * only place that knows their storages. A property that only TypeScript knows leaves no trace and is not in the list;
 * one that `@Exclude` keeps from this use isn't either. A base class's properties come first.
 */
export function readClass(owner: DtoClass, use: Use): readonly PropertyFacts[] {
  const rules = rulesByProperty(owner);
  const fields = fieldOptionsOf(owner);
  const names = declarationOrder(owner, new Set([...rules.keys(), ...fields.keys()]));
  const initial = initialValues(owner);
  return names
    .filter((name) => isExposed(owner, name, use))
    .map((name) => ({
      owner,
      name,
      wireName: wireName(owner, name, use),
      rules: rules.get(name) ?? [],
      designType: Reflect.getMetadata('design:type', owner.prototype as object, name) as unknown,
      type: typeFacts(owner, name),
      field: fields.get(name),
      initialised: isInitialised(owner, name, initial),
    }));
}

function rulesByProperty(owner: DtoClass): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  // class-validator's own selection: what `validate(instance)` would apply, inherited and overridden its way.
  const stored = getMetadataStorage().getTargetValidationMetadatas(owner, '', false, false);
  for (const entry of stored) {
    const rule: Rule = {
      kind: KINDS[entry.type] ?? 'check',
      name: entry.name,
      args: entry.name === ARRAY_UNIQUE ? [comparesByFunction(entry.constraintCls)] : (entry.constraints ?? []),
      each: entry.each,
      groups: entry.always === true ? [] : (entry.groups ?? []),
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
  for (let at: unknown = owner; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    chain.unshift(at as DtoClass);
  }
  const declared = chain.flatMap((at) => [...rulesByProperty(at).keys(), ...fieldOptionsOf(at).keys()]);
  return [...new Set(declared)].filter((name) => names.has(name));
}

function typeFacts(owner: DtoClass, name: string): TypeFacts | undefined {
  const stored = defaultMetadataStorage.findTypeMetadata(owner, name);
  if (stored === undefined) return undefined;
  const target: unknown = stored.typeFunction?.({ newObject: {}, object: {}, property: name });
  const discriminator = stored.options?.discriminator;
  return { target, ...(discriminator !== undefined && { discriminator }) };
}

function isExposed(owner: DtoClass, name: string, use: Use): boolean {
  const direction = directionOf(use);
  const exposed = defaultMetadataStorage.getExposedProperties(owner, direction).includes(name);
  // Exposed to groups only: no group is ever asked for here, so class-transformer leaves it out.
  if ((defaultMetadataStorage.findExposeMetadata(owner, name)?.options?.groups ?? []).length > 0) return false;
  if (defaultMetadataStorage.getExcludedProperties(owner, direction).includes(name)) return false;
  if (use === 'input' && isReadOnly(owner, name)) return false;
  return exposed || defaultMetadataStorage.getStrategy(owner) !== 'excludeAll';
}

function wireName(owner: DtoClass, name: string, use: Use): string {
  const stored = defaultMetadataStorage.findExposeMetadata(owner, name);
  const renames = stored !== undefined && defaultMetadataStorage.getExposedProperties(owner, directionOf(use)).includes(name);
  return renames ? (stored.options?.name ?? name) : name;
}

function directionOf(use: Use): TransformationType {
  return use === 'input' ? TransformationType.PLAIN_TO_CLASS : TransformationType.CLASS_TO_PLAIN;
}

/** A getter without a setter: class-transformer passes over it. */
function isReadOnly(owner: DtoClass, name: string): boolean {
  for (let at: unknown = owner.prototype; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found.get !== undefined && found.set === undefined;
  }
  return false;
}

function isInitialised(owner: DtoClass, name: string, initial: object): boolean {
  // class-transformer sets an exposed property even if it is absent, over the class's own value.
  if (defaultMetadataStorage.findExposeMetadata(owner, name) !== undefined) return false;
  return Object.getOwnPropertyDescriptor(initial, name)?.value !== undefined;
}

function initialValues(owner: DtoClass): object {
  try {
    // As class-transformer does for each value: a DTO can be made without arguments.
    return new (owner as new () => object)();
  } catch {
    return {};
  }
}
