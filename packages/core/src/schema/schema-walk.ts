import { isJsonObject } from '../protocol/json.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';

/** A schema inside a schema, and where it stands. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  /** JSON Pointer from the root: `''` is the root itself. */
  readonly pointer: string;
  readonly depth: number;
  /** The schema that `#` means here: the nearest one around it that has an `$id`, else the root. */
  readonly resource: JsonObject;
}

const ONE = ['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames',
  'unevaluatedItems', 'unevaluatedProperties', 'contentSchema']; // prettier-ignore
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/**
 * Yields a schema and every subschema in it, outermost first. Only places where 2020-12 has a schema are
 * entered: what stands under `const`, `enum`, `default`, `examples` or an unknown keyword is data.
 */
export function* walkSchema(root: JsonObject): Generator<SchemaPlace> {
  yield* walkPlace({ schema: root, pointer: '', depth: 1, resource: root });
}

function* walkPlace(place: SchemaPlace): Generator<SchemaPlace> {
  yield place;
  for (const [pointer, child] of childrenOf(place)) {
    const resource = typeof child['$id'] === 'string' ? child : place.resource;
    yield* walkPlace({ schema: child, pointer, depth: place.depth + 1, resource });
  }
}

function* childrenOf({ schema, pointer }: SchemaPlace): Generator<[string, JsonObject]> {
  for (const keyword of ONE) yield* entry(`${pointer}/${keyword}`, own(schema, keyword));
  for (const keyword of [...LIST, ...MAP]) {
    const children = own(schema, keyword);
    if (typeof children !== 'object' || children === null) continue;
    for (const [key, child] of Object.entries(children)) yield* entry(`${pointer}/${keyword}/${escapePointer(key)}`, child);
  }
}

function* entry(pointer: string, child: JsonValue | undefined): Generator<[string, JsonObject]> {
  if (child !== undefined && isJsonObject(child)) yield [pointer, child];
}

function own(schema: JsonObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

/** Writes a key as a JSON Pointer segment. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The value that a JSON Pointer leads to; undefined if it leads nowhere. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let here: JsonValue | undefined = root;
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(here)) here = Object.hasOwn(here, key) ? here[Number(key)] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  }
  return here;
}

/** Reads a JSON Pointer into its keys. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Moves a schema inside another one: `#/$defs/X` becomes `#<pointer>/$defs/X`. References below their own `$id` are
 * left alone, and so are anchors: both mean the same everywhere.
 * @returns a copy, without `$schema`, which belongs at the root only
 */
export function relocateReferences(json: JsonObject, pointer: string): JsonObject {
  const copy = structuredClone(json);
  delete copy['$schema'];
  if (copy['$id'] !== undefined) return copy;
  for (const { schema, resource } of walkSchema(copy)) {
    if (resource !== copy) continue;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const target = schema[keyword];
      if (target === '#') schema[keyword] = `#${pointer}`;
      else if (typeof target === 'string' && target.startsWith('#/')) schema[keyword] = `#${pointer}${target.slice(1)}`;
    }
  }
  return copy;
}
