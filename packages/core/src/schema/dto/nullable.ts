import type { JsonObject, JsonValue } from '../../protocol/json.js';

/** Keywords that say nothing of null beside a `type` that allows it. */
const SILENT = new Set([
  'type', 'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'items', 'minItems', 'maxItems', 'uniqueItems', 'contains',
  'minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum',
]); // prettier-ignore

/**
 * The schema that also allows null, for people to read or to check with: problems inside an `if` are reported as they
 * are; of an `anyOf` only that no branch fits.
 */
export function nullable(schema: JsonObject, part: 'advertised' | 'checked'): JsonObject {
  const { type, enum: values } = schema;
  if (type === 'null' || Object.keys(schema).length === 0) return schema;
  if (typeof type !== 'string' || Object.keys(schema).some((keyword) => !SILENT.has(keyword))) {
    return part === 'checked' ? { if: { type: 'null' }, else: schema } : { anyOf: [schema, { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: withNull(values) }) };
}

function withNull(values: readonly JsonValue[]): JsonValue[] {
  return values.includes(null) ? [...values] : [...values, null];
}
