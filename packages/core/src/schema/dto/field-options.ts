import 'reflect-metadata';
import { Allow, getMetadataStorage } from 'class-validator';
import { DefinitionError, McpDefinitionsError } from '../../errors/definition-fault.js';
import { unknownOptions, type OptionNames } from '../../errors/unknown-options.js';
import type { JsonObject, JsonValue } from '../../protocol/json.js';
import { enumSchema, type EnumObject } from '../enum-values.js';

/** Options of a DTO's property, beyond those of class-validator. */
export interface McpFieldOptions {
  /** The meaning of the property; the model reads it. */
  readonly description?: string;
  /** A short name for people. */
  readonly title?: string;
  /** Advertised, and filled in before the method runs; it also makes the property optional. It must fit the property's schema. */
  readonly default?: JsonValue;
  /** Values that fit, for the model to copy. */
  readonly examples?: readonly JsonValue[];
  /** Takes the place of the format that class-validator's decorator gives (`date` instead of `date-time`). */
  readonly format?: string;
  /** Clients repeat the property in the header `Mcp-Param-<header>`; the same as for `@McpArg`. */
  readonly header?: string;
  /** The TypeScript enum that is the property's type, where no `@IsEnum()` says it: compilers emit it as `String` or `Number`, without its values. */
  readonly enum?: EnumObject;
  /**
   * The property's JSON Schema by hand, for what class-validator can't state as JSON Schema (a custom constraint, a `Map`).
   * It takes the place of all that is derived; class-validator's decorators are still enforced, after it.
   */
  readonly schema?: JsonObject;
}

/**
 * Describes a property of a DTO to the model. Stands in any order with class-validator's decorators; several
 * on one property add up, the upper one wins, and a subclass inherits and overrides them.
 *
 * A property that has no class-validator decorator is advertised by its TypeScript type (`string`, `number`,
 * `boolean`) if it has `@McpField()`. Without either it is not advertised at all: TypeScript keeps no trace of it.
 *
 * @example
 * ```ts
 * class SearchArgs {
 *   @IsString() @McpField({ description: 'Words to look for' }) query: string;
 *   @IsInt() @Max(100) @McpField({ default: 20 }) limit: number;
 * }
 * ```
 * @throws DefinitionError on a property whose name is a symbol
 */
export function McpField(options: McpFieldOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    addFieldOptions(prototype.constructor, property, options);
  };
}

const NAMES: OptionNames<McpFieldOptions> = {
  description: true,
  title: true,
  default: true,
  examples: true,
  format: true,
  header: true,
  enum: true,
  schema: true,
};

/**
 * Checks that every option of every `@McpField` of a class exists: one that is misspelt would have no effect.
 * @throws McpDefinitionsError listing those that do not
 */
export function assertFieldOptionsExist(owner: Function, fields: ReadonlyMap<string, McpFieldOptions>): void {
  const faults = [...fields].flatMap(([property, options]) =>
    unknownOptions(options, NAMES).map(({ name, fix }) => ({
      where: `${owner.name}.${property}`,
      problem: `@McpField has no option "${name}"`,
      fix,
    })),
  );
  if (faults.length > 0) throw new McpDefinitionsError(faults);
}

const FIELDS = Symbol('mocapi:fields');
/** The key, in the `context` of one of class-validator's entries, of the class and property that an `@McpField` stands on. */
const MARK = Symbol('mocapi:field-mark');

interface FieldMark {
  readonly owner: Function;
  readonly property: string;
}

/** One of class-validator's entries, as far as it matters here. */
interface ValidatorEntry {
  readonly target: unknown;
  readonly propertyName: string;
  readonly context?: { readonly [MARK]?: FieldMark };
}

/**
 * Adds what `@McpField` says of a property; what is added later wins, option by option. The property also gets a mark among class-validator's
 * metadata, as `@Allow()` leaves one: `PickType`, `PartialType` and their like copy that to the class they make, and `whitelist` keeps the property.
 * @throws DefinitionError on a property whose name is a symbol
 */
function addFieldOptions(owner: Function, property: string | symbol, { enum: values, ...options }: McpFieldOptions): void {
  if (typeof property === 'symbol') {
    throw new DefinitionError({
      where: `${owner.name}.${String(property)}`,
      problem: '@McpField() is on a property whose name is a symbol; JSON has none.',
      fix: 'Give the property a name.',
    });
  }
  const fields = ownFields(owner) ?? new Map<string, McpFieldOptions>();
  if (!fields.has(property)) Allow({ context: { [MARK]: { owner, property } satisfies FieldMark } })(owner.prototype, property);
  const schema = values ? { schema: enumSchema(values) } : undefined;
  fields.set(property, { ...fields.get(property), ...schema, ...options });
  Reflect.defineMetadata(FIELDS, fields, owner);
}

/** Whether one of class-validator's entries is the mark of an `@McpField`, and no rule. */
export function isFieldMark(entry: ValidatorEntry): boolean {
  return markOf(entry) !== undefined;
}

/**
 * The options of every `@McpField` property of a class, with those of its base classes and of the classes that a mapped type was made from; a
 * subclass's options win one by one.
 */
export function fieldOptionsOf(owner: Function): ReadonlyMap<string, McpFieldOptions> {
  const base: unknown = Object.getPrototypeOf(owner);
  const fields = new Map(typeof base === 'function' && base !== Function.prototype ? fieldOptionsOf(base) : []);
  const add = (property: string, options: McpFieldOptions | undefined): unknown =>
    fields.set(property, { ...fields.get(property), ...options });
  for (const { propertyName, context } of copiedMarks(owner)) add(propertyName, fieldOptionsOf(context.owner).get(context.property));
  for (const [property, options] of ownFields(owner) ?? []) add(property, options);
  return fields;
}

/** The marks that a mapped type has copied to the class from another. */
function copiedMarks(owner: Function): { propertyName: string; context: FieldMark }[] {
  const entries = getMetadataStorage().getTargetValidationMetadatas(owner, '', false, false);
  return entries.flatMap((entry) => {
    const context = markOf(entry);
    return entry.target === owner && context !== undefined && context.owner !== owner
      ? [{ propertyName: entry.propertyName, context }]
      : [];
  });
}

function markOf({ context }: ValidatorEntry): FieldMark | undefined {
  return context?.[MARK];
}

function ownFields(owner: object): Map<string, McpFieldOptions> | undefined {
  return Reflect.getOwnMetadata(FIELDS, owner);
}
