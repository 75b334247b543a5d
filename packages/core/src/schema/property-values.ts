import { type JsonObject, type JsonValue, isJsonObject } from '../protocol/json.js';

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

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The arguments of a prompt, or the variables of a template, as their schema wants them: on the wire they are strings (MCP server/prompts "Getting
 * a prompt"). A text becomes a number, integer or boolean where the schema takes one and no string; anything that does not read as such stays, for the check to name.
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

/** The number that a text is, or the text where it would become another one: an integer that doubles don't have, or infinity. */
function readNumber(text: string, types: ReadonlySet<string>): JsonValue {
  const read = Number(text);
  const isExact = types.has('number') || !Number.isInteger(read) || Number.isSafeInteger(read);
  return Number.isFinite(read) && isExact ? read : text;
}

/** The types that a property takes, as its schema says them or as the values it lists have them. */
function typesOf(schema: JsonObject, name: string): ReadonlySet<string> {
  return new Set(
    propertySchemas(schema, name).flatMap(({ type, enum: listed, const: only }) => [
      ...(Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : []),
      ...[...(Array.isArray(listed) ? listed : []), ...(only === undefined ? [] : [only])].map((value) => typeof value),
    ]),
  );
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
  const referred = typeof $ref === 'string' ? [resolve($ref, root)] : [];
  const inner = [anyOf, oneOf, allOf].flatMap((union) => (Array.isArray(union) ? union : []));
  return [schema, ...[...referred, ...inner].flatMap((branch) => branches(branch, root, hops - 1))];
}

function resolve(reference: string, root: JsonObject): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const steps = reference.slice(2).split('/').map(unescape);
  return steps.reduce<JsonValue | undefined>((at, step) => (isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
}

function unescape(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}
