import type { JsonObject } from '../protocol/json.js';
import { propertySchemas } from './property-schema.js';

/** The values that a schema lists for a property (`enum`, `const`, a union of them, `boolean`), as texts. Empty when it lists none. */
export function listedValues(schema: JsonObject, name: string): string[] {
  const values = propertySchemas(schema, name).flatMap(({ type, enum: listed, const: only }) => [
    ...(Array.isArray(listed) ? listed : []),
    ...(only === undefined ? [] : [only]),
    ...(type === 'boolean' ? [true, false] : []),
  ]);
  return [...new Set(values.filter((value) => value !== null && typeof value !== 'object').map(String))];
}

/** Whether the schema has the property at all. */
export function hasProperty(schema: JsonObject, name: string): boolean {
  return propertySchemas(schema, name).length > 0;
}
