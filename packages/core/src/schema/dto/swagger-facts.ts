import 'reflect-metadata';
import { isRecord, type JsonObject, type JsonValue } from '../../protocol/json.js';
import { copyJson } from '../json-copy.js';

/** Where `@ApiProperty` of `@nestjs/swagger` leaves what it was given. The package itself is not needed to read it. */
const API_MODEL_PROPERTIES = 'swagger/apiModelProperties';

/** Reads `@ApiProperty` of a property, as keywords that describe it and reject nothing. Empty if there is none. */
export function swaggerFacts(prototype: object, property: string): JsonObject {
  const stored: Readonly<Record<string, unknown>> | undefined = Reflect.getMetadata(API_MODEL_PROPERTIES, prototype, property);
  if (stored === undefined) return {};
  const { title, description, default: byDefault, deprecated, format } = stored;
  return jsonOf({ title, description, default: byDefault, deprecated, format, examples: examplesOf(stored), enum: enumOf(stored) });
}

/** `example` is one; `examples` a list, or objects with a `value` under a name each. */
function examplesOf({ example, examples }: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(examples)) return examples;
  if (typeof examples === 'object' && examples !== null) {
    const named: unknown[] = Object.values(examples);
    return named.map((one) => (typeof one === 'object' && one !== null && 'value' in one ? one.value : one));
  }
  return example === undefined ? undefined : [example];
}

/** A list of values, or an enum of TypeScript, whose numbers have reverse entries. A lazy one (a function) is called. */
function enumOf({ enum: listed, type, items, isArray }: Readonly<Record<string, unknown>>): unknown {
  const inItems = isRecord(items) ? items['enum'] : undefined;
  // Of an array the values are those of its elements, which class-validator's decorators state.
  if (isArray === true || type === 'array' || inItems !== undefined) return undefined;
  const values: unknown = typeof listed === 'function' ? listed() : listed;
  if (Array.isArray(values) || typeof values !== 'object' || values === null) return values;
  return Object.entries(values)
    .filter(([key]) => !/^\d+$/.test(key))
    .map(([, value]) => value);
}

function jsonOf(keywords: Readonly<Record<string, unknown>>): JsonObject {
  const copies = Object.entries(keywords).flatMap(([keyword, value]): [string, JsonValue][] => {
    const copy = value === undefined ? undefined : copyJson(value);
    return copy?.ok === true && copy.value !== undefined && isUsable(keyword, copy.value) ? [[keyword, copy.value]] : [];
  });
  return Object.fromEntries(copies);
}

/** Whether the value is one that the keyword may have: `@ApiProperty` does not check what it is given. */
function isUsable(keyword: string, value: JsonValue): boolean {
  if (keyword === 'examples' || keyword === 'enum') return Array.isArray(value) && value.length > 0;
  if (keyword === 'deprecated') return typeof value === 'boolean';
  return keyword === 'default' || typeof value === 'string';
}
