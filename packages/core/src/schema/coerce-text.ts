import type { JsonObject, JsonValue } from '../protocol/json.js';
import { propertySchemas } from './property-schema.js';

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
