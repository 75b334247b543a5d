import { type JsonObject, type JsonValue, isJsonObject } from '../protocol/json.js';
import { valueAt } from './schema-walk.js';

/** The values that a schema lists for a property (`enum`, `const`, a union of them, `boolean`), as texts. Empty when it lists none. */
export function listedValues(schema: JsonObject, name: string): string[] {
  const values = propertySchemas(schema, name).flatMap((property) =>
    property['type'] === 'boolean' ? [...named(property), true, false] : named(property),
  );
  return [...new Set(values.filter((value) => value !== null && typeof value !== 'object').map(String))];
}

/** Whether the schema has the property at all. */
export function hasProperty(schema: JsonObject, name: string): boolean {
  return propertySchemas(schema, name).length > 0;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The arguments of a prompt, or the variables of a template, as their schema wants them: on the wire they are strings (MCP server/prompts "Getting
 * a prompt"). A text becomes a number, integer or boolean where the schema takes one and no string; any other text stays, and the check reports it.
 */
export function coerceText(values: JsonObject, schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, coerce(value, typesOf(schema, name))]));
}

function coerce(value: JsonValue, types: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'string' || types.has('string')) return value;
  if ((types.has('number') || types.has('integer')) && NUMBER.test(value)) return readNumber(value, types);
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** The number in a text; the text itself if that number is infinite, or an integer that is not exact. */
function readNumber(text: string, types: ReadonlySet<string>): JsonValue {
  const read = Number(text);
  const isExact = types.has('number') || !Number.isInteger(read) || Number.isSafeInteger(read);
  return Number.isFinite(read) && isExact ? read : text;
}

/** The types that a property takes, as its schema says them or as the values it lists have them. */
function typesOf(schema: JsonObject, name: string): ReadonlySet<string> {
  return new Set(
    propertySchemas(schema, name).flatMap((property) => [
      ...[property['type']].flat().filter((type) => typeof type === 'string'),
      ...named(property).map((value) => typeof value),
    ]),
  );
}

/** The values that `enum` and `const` name. */
function named({ enum: values, const: only }: JsonObject): JsonValue[] {
  const listed = Array.isArray(values) ? values : [];
  return only === undefined ? listed : [...listed, only];
}

const MAX_HOPS = 16;

/** The schemas that a property may have: its own, behind `$ref` into `$defs`, and the branches of its unions. Empty when the schema has no such property. */
function propertySchemas(root: JsonObject, name: string): JsonObject[] {
  const { properties } = root;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return [];
  return branches(properties[name], root, MAX_HOPS);
}

function branches(schema: JsonValue | undefined, root: JsonObject, hops: number): JsonObject[] {
  if (!isJsonObject(schema) || hops === 0) return [];
  const { $ref, anyOf, oneOf, allOf } = schema;
  const referred = typeof $ref === 'string' && $ref.startsWith('#/') ? [valueAt(root, decodeURIComponent($ref.slice(1)))] : [];
  const inner = [anyOf, oneOf, allOf].flatMap((union) => (Array.isArray(union) ? union : []));
  return [schema, ...[...referred, ...inner].flatMap((branch) => branches(branch, root, hops - 1))];
}
