import 'reflect-metadata';
import { DefinitionError } from '../../errors/definition-fault.js';
import type { JsonObject, JsonValue } from '../../protocol/json.js';

/** What a DTO's property says of itself beyond what class-validator states. */
export interface McpFieldOptions {
  /** What the property means; the model reads it. */
  readonly description?: string;
  /** A short name for people. */
  readonly title?: string;
  /** Advertised, and filled in before the method runs; it also makes the property optional. It must fit the property's schema. */
  readonly default?: JsonValue;
  /** Values that fit, for the model to copy. */
  readonly examples?: readonly JsonValue[];
  /** Takes the place of the format that class-validator's decorator gives (`date` instead of `date-time`). */
  readonly format?: string;
  /** Clients repeat the property in the header `Mcp-Param-<header>`; as of `@McpArg`. */
  readonly header?: string;
  /**
   * The property's JSON Schema by hand, for what class-validator can't state as JSON Schema (a custom constraint, a `Map`).
   * It takes the place of all that is derived; class-validator's decorators are still enforced, after it.
   */
  readonly schema?: JsonObject;
}

const FIELDS = Symbol('mocapi:fields');

/**
 * Adds what `@McpField` says of a property; what is added later wins, option by option.
 * @throws DefinitionError on a property whose name is a symbol
 */
export function addFieldOptions(owner: Function, property: string | symbol, options: McpFieldOptions): void {
  if (typeof property === 'symbol') {
    throw new DefinitionError({
      where: `${owner.name}.${String(property)}`,
      problem: '@McpField() is on a property whose name is a symbol; JSON has none.',
      mend: 'Give the property a name.',
    });
  }
  const fields = ownFields(owner) ?? new Map<string, McpFieldOptions>();
  fields.set(property, { ...fields.get(property), ...options });
  Reflect.defineMetadata(FIELDS, fields, owner);
}

/** The options of every `@McpField` property of a class, its base classes' included; the subclass's options win one by one. */
export function fieldOptionsOf(owner: object): ReadonlyMap<string, McpFieldOptions> {
  const base: unknown = Object.getPrototypeOf(owner);
  const fields = new Map(typeof base === 'function' && base !== Function.prototype ? fieldOptionsOf(base) : []);
  for (const [property, options] of ownFields(owner) ?? []) fields.set(property, { ...fields.get(property), ...options });
  return fields;
}

function ownFields(owner: object): Map<string, McpFieldOptions> | undefined {
  return Reflect.getOwnMetadata(FIELDS, owner) as Map<string, McpFieldOptions> | undefined;
}
