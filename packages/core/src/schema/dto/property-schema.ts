import { defined, type JsonObject, type JsonValue } from '../../protocol/json.js';
import { findNonJson } from '../json-copy.js';
import type { PropertyFacts } from './class-facts.js';
import { deriveSchema } from './derive-schema.js';
import type { PropertySchema, SchemaPart } from './derive-schema.js';
import { propertyFault } from './property-fault.js';

/**
 * States one property as JSON Schema: by hand if `@McpField` does, else derived; with what `@McpField` says about it.
 * @param nested the schema of the class it nests, if it does
 * @throws DefinitionError naming `Class.property`, what can't be stated, and the fix
 */
export function propertySchema(facts: PropertyFacts, nested: JsonObject | undefined, part: SchemaPart): PropertySchema {
  const derived = facts.field?.schema === undefined ? deriveSchema(facts, nested, part) : byHand(facts, facts.field.schema);
  const json = part.part === 'advertised' ? withApi(derived.json, facts.api) : derived.json;
  return { json: { ...json, ...annotations(facts) }, whole: derived.whole };
}

/** Adds the keywords of `@ApiProperty` to a schema; class-validator and `@McpField` take precedence. */
function withApi(json: JsonObject, { enum: values, format, ...about }: JsonObject): JsonObject {
  const { type } = json;
  const described: JsonObject = { ...about };
  if (values !== undefined && isScalar(type) && json['const'] === undefined) described['enum'] = values;
  if (format !== undefined && type === 'string' && json['anyOf'] === undefined) described['format'] = format;
  return { ...described, ...json };
}

function isScalar(type: JsonValue | undefined): boolean {
  return type === 'string' || type === 'number' || type === 'integer' || type === undefined;
}

function byHand(facts: PropertyFacts, schema: JsonObject): PropertySchema {
  const odd = findNonJson(schema);
  if (odd !== undefined) throw propertyFault(facts, `the schema of its @McpField() ${odd}.`, 'Write the schema with JSON values only.');
  const enforced = facts.rules.some((rule) => rule.kind !== 'none' && rule.name !== 'isOptional');
  return { json: JSON.parse(JSON.stringify(schema)), whole: !enforced };
}

function annotations({ field }: PropertyFacts): JsonObject {
  if (field === undefined) return {};
  const { title, description, default: byDefault, examples, header } = field;
  return defined({ title, description, default: copyOf(byDefault), 'x-mcp-header': header, examples: copyOf(examples) });
}

/** A copy that nobody else holds. */
function copyOf(value: JsonValue | readonly JsonValue[] | undefined): JsonValue | undefined {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
