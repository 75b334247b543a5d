import { DefinitionError } from '../../src/errors/definition-fault.js';
import type { DefinitionFault } from '../../src/errors/definition-fault.js';
import type { JsonObject, JsonValue } from '../../src/protocol/json.js';
import { compileSchema } from '../../src/schema/compile-schema.js';
import type { CompiledSchema, SchemaIssue } from '../../src/schema/compiled-schema.js';
import type { SchemaSource } from '../../src/schema/schema-source.js';

/** Compiles for input. */
export function input(source: SchemaSource): CompiledSchema {
  return compileSchema(source, { where: 'Tools.run', use: 'input' });
}

/** Compiles for output. */
export function output(source: SchemaSource): CompiledSchema {
  return compileSchema(source, { where: 'Tools.run', use: 'output' });
}

/** The schema that a class advertises for one of its properties. */
export function propertyOf(source: SchemaSource, name: string): JsonValue | undefined {
  return (input(source).json['properties'] as JsonObject)[name];
}

/** The value that `parse` yields; fails the test if it refuses. */
export async function accepted(schema: Pick<CompiledSchema, 'parse'>, value: unknown): Promise<unknown> {
  const result = await schema.parse(value);
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.issues)}`);
  return result.value;
}

/** Why `parse` refuses; fails the test if it accepts. */
export async function refused(schema: Pick<CompiledSchema, 'parse'>, value: unknown): Promise<readonly SchemaIssue[]> {
  const result = await schema.parse(value);
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value)}`);
  return result.issues;
}

/** The fault that an action throws. */
export function faultOf(action: () => unknown): DefinitionFault {
  try {
    action();
  } catch (error) {
    if (error instanceof DefinitionError) return error.fault;
    throw error;
  }
  throw new Error('no fault');
}
