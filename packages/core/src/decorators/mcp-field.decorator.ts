import { addFieldOptions } from '../schema/dto/field-options.js';
import type { McpFieldOptions } from '../schema/dto/field-options.js';

export type { McpFieldOptions } from '../schema/dto/field-options.js';

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
