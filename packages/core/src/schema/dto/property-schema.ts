import type { JsonObject, JsonValue } from '../../protocol/json.js';
import { findNonJson } from '../find-non-json.js';
import type { PropertyFacts } from './class-facts.js';
import { deriveSchema } from './derive-schema.js';
import type { PropertySchema } from './derive-schema.js';
import { propertyFault } from './property-fault.js';

/**
 * States one property as JSON Schema: by hand if `@McpField` does, else derived; with what `@McpField` says about it.
 * @param nested the schema of the class it nests, if it does
 * @throws DefinitionError naming `Class.property`, what can't be stated, and the mend
 */
export function propertySchema(facts: PropertyFacts, nested: JsonObject | undefined): PropertySchema {
  const derived = facts.field?.schema === undefined ? deriveSchema(facts, nested) : byHand(facts, facts.field.schema);
  return { json: { ...derived.json, ...annotations(facts) }, whole: derived.whole };
}

function byHand(facts: PropertyFacts, schema: JsonObject): PropertySchema {
  const odd = findNonJson(schema);
  if (odd !== undefined) throw propertyFault(facts, `the schema of its @McpField() ${odd}.`, 'Write the schema with JSON values only.');
  const enforced = facts.rules.some((rule) => rule.kind !== 'none' && rule.name !== 'isOptional');
  return { json: JSON.parse(JSON.stringify(schema)) as JsonObject, whole: !enforced };
}

function annotations({ field }: PropertyFacts): JsonObject {
  if (field === undefined) return {};
  const { title, description, default: byDefault, examples, header } = field;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: JSON.parse(JSON.stringify(byDefault)) as JsonValue }),
    ...(header !== undefined && { 'x-mcp-header': header }),
    ...(examples !== undefined && { examples: JSON.parse(JSON.stringify(examples)) as JsonValue[] }),
  };
}
