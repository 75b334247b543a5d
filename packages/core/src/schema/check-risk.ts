import { type JsonObject, isJsonObject, type JsonValue } from '../protocol/json.js';
import { hasSlowPattern } from './slow-patterns.js';
import { valueAt } from './schema-walk.js';

/** The unit is characters of the value's JSON text times subschemas per value: ajv takes about 25 ms for this much. */
const LIGHT_CHECK = 1_000_000;
/** A library that makes an object or an issue of each step takes about as long for this much. */
const LIGHT_REREAD = 50_000;
const LARGE = 100;

/** How large a value may be, in characters of its JSON text, before checking it against one schema may hold the process up. */
export interface CheckRisk {
  /** Above this the watchdog must run beside a check by ajv. */
  readonly checkAbove: number;
  /** The same for a library that reads the checked value again, such as zod. */
  readonly rereadAbove: number;
  /** Whether the compiled check is so large that its first run, which reads its code, must not count as the time of a value. */
  readonly isLarge: boolean;
}

/** Judges a schema once, at boot: by its patterns, and by how many subschemas one value may have to be checked against. */
export function checkRiskOf(json: JsonObject): CheckRisk {
  const checks = hasSlowPattern(json) ? Infinity : checksPerValue(json);
  return {
    // Without alternatives each part of the value is read once, however large it is.
    checkAbove: checks > 1 ? LIGHT_CHECK / checks : Infinity,
    rereadAbove: LIGHT_REREAD / checks,
    isLarge: checks > LARGE,
  };
}

/** The schemas that are read at most to find the cost; a schema that would take more costs `Infinity`. */
const MAX_READ = 20_000;
/** A schema that is still deeper refers to itself. */
const MAX_DEPTH = 100;

const IN_PLACE_ONE = ['not', 'if', 'then', 'else'];
const IN_PLACE_LIST = ['allOf', 'anyOf', 'oneOf'];
const OF_OTHER_MEMBERS = ['additionalProperties', 'unevaluatedProperties'];
const OF_ITEMS = ['items', 'contains', 'unevaluatedItems'];

/**
 * Returns how many subschemas one value inside a document may be checked against, at most. Without unions it is 1 or a little more; with a union of
 * 30 inside a union of 30 it is above 900, and a document of n values takes up to 900 n checks. `Infinity`: the schema refers to itself, or is too large to count.
 */
export function checksPerValue(root: JsonObject): number {
  return new Count(root).atMost([root], 0);
}

class Count {
  private read = 0;

  constructor(private readonly root: JsonObject) {}

  /** @param schemas all that one value is checked against */
  atMost(schemas: readonly JsonObject[], depth: number): number {
    if (depth > MAX_DEPTH) return Infinity;
    const applied: JsonObject[] = [];
    for (const schema of schemas) this.apply(schema, applied);
    if (this.read > MAX_READ) return Infinity;
    let most = applied.length;
    for (const below of valuesBelow(applied)) most = Math.max(most, this.atMost(below, depth + 1));
    return most;
  }

  /** Collects a schema and all that its keywords apply to the same value. */
  private apply(schema: JsonObject, applied: JsonObject[]): void {
    if (++this.read > MAX_READ) return;
    applied.push(schema);
    for (const part of this.inPlace(schema)) this.apply(part, applied);
  }

  private inPlace(schema: JsonObject): JsonObject[] {
    return [
      ...objects(IN_PLACE_ONE.map((keyword) => schema[keyword])),
      ...objects(IN_PLACE_LIST.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []))),
      ...objects(Object.values(mapOf(schema, 'dependentSchemas'))),
      ...objects([this.target(schema)]),
    ];
  }

  /** Finds what a `$ref` to a JSON Pointer means. One of another form (an anchor, an `$id`) may refer to any schema around it, so it counts as the root. */
  private target({ $ref, $dynamicRef }: JsonObject): JsonObject | undefined {
    if ($ref === undefined && $dynamicRef === undefined) return undefined;
    if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return this.root;
    const found = valueAt(this.root, decodeURIComponent($ref.slice(1)));
    return isJsonObject(found) ? found : this.root;
  }
}

/** For each value that may stand inside of one that all these schemas apply to: the schemas that apply to it. */
function valuesBelow(applied: readonly JsonObject[]): JsonObject[][] {
  const names = new Set(applied.flatMap((schema) => Object.keys(mapOf(schema, 'properties'))));
  const named = [...names].map((name) => objects(applied.flatMap((schema) => ofMember(schema, name))));
  const other = objects(applied.flatMap((schema) => ofMember(schema, undefined)));
  const keys = objects(applied.map((schema) => schema['propertyNames']));
  const items = objects(applied.flatMap((schema) => [...OF_ITEMS.map((keyword) => schema[keyword]), ...longestPrefix(schema)]));
  return [...named, other, keys, items].filter((schemas) => schemas.length > 0);
}

function ofMember(schema: JsonObject, name: string | undefined): (JsonValue | undefined)[] {
  const properties = mapOf(schema, 'properties');
  const patterns = Object.values(mapOf(schema, 'patternProperties'));
  if (name !== undefined && Object.hasOwn(properties, name)) return [properties[name], ...patterns];
  return [...patterns, ...OF_OTHER_MEMBERS.map((keyword) => schema[keyword])];
}

/** An item is checked against one schema of `prefixItems` alone; counting all of them errs on the safe side. */
function longestPrefix(schema: JsonObject): readonly JsonValue[] {
  return Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
}

function mapOf(schema: JsonObject, keyword: string): JsonObject {
  const map = schema[keyword];
  return map !== undefined && isJsonObject(map) ? map : {};
}

function objects(values: readonly (JsonValue | undefined)[]): JsonObject[] {
  return values.filter((value): value is JsonObject => value !== undefined && isJsonObject(value));
}
