import { DefinitionError } from '../errors/definition-fault.js';
import { isJsonObject } from '../protocol/json.js';
import type { JsonObject } from '../protocol/json.js';
import { valueAt, walkSchema } from './schema-walk.js';
import type { SchemaPlace } from './schema-walk.js';

/** How deep schemas may nest in one schema. */
export const MAX_SCHEMA_DEPTH = 64;
/** How many schemas one schema may be made of. */
export const MAX_SUBSCHEMAS = 5_000;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Refuses what must be refused before a schema is compiled: too deep, too large, another dialect, or a
 * reference that leaves the schema (nothing is ever fetched) or leads nowhere.
 * @throws DefinitionError
 */
export function assertSchemaIsSelfContained(root: JsonObject, where: string): void {
  const references: { place: SchemaPlace; keyword: string }[] = [];
  const anchors = new Map<JsonObject, Set<string>>();
  let count = 0;
  for (const place of walkSchema(root)) {
    count += 1;
    if (place.depth > MAX_SCHEMA_DEPTH) throw tooLarge(where, `nests deeper than ${MAX_SCHEMA_DEPTH} schemas, at ${at(place)}`);
    if (count > MAX_SUBSCHEMAS) throw tooLarge(where, `has more than ${MAX_SUBSCHEMAS} subschemas`);
    assertDialect(place, where);
    noteAnchors(place, anchors);
    for (const keyword of REFERENCES) if (Object.hasOwn(place.schema, keyword)) references.push({ place, keyword });
  }
  for (const { place, keyword } of references) assertReference(place, keyword, { anchors: anchors.get(place.resource), where });
}

function assertDialect(place: SchemaPlace, where: string): void {
  const dialect = place.schema['$schema'];
  if (dialect === undefined || dialect === DIALECT || dialect === `${DIALECT}#`) return;
  throw new DefinitionError({
    where,
    problem: `its schema names the dialect ${JSON.stringify(dialect)} at ${at(place)}. The only supported dialect is JSON Schema 2020-12 (${DIALECT}).`,
    fix: `Rewrite the schema for 2020-12 and leave "$schema" out, or set it to '${DIALECT}'.`,
  });
}

function noteAnchors({ schema, resource }: SchemaPlace, anchors: Map<JsonObject, Set<string>>): void {
  const known = anchors.get(resource) ?? new Set<string>();
  for (const anchor of [schema['$anchor'], schema['$dynamicAnchor']]) if (typeof anchor === 'string') known.add(anchor);
  anchors.set(resource, known);
}

function assertReference(place: SchemaPlace, keyword: string, known: { anchors: Set<string> | undefined; where: string }): void {
  const target = place.schema[keyword];
  const fault = (problem: string): DefinitionError =>
    new DefinitionError({
      where: known.where,
      problem: `its schema has ${keyword} ${JSON.stringify(target)} at ${at(place)}, ${problem}`,
      fix: `Put the schema under "$defs" of the same schema and refer to it as { "$ref": "#/$defs/Name" }.`,
    });
  if (typeof target !== 'string' || !target.startsWith('#'))
    throw fault('which points outside of the schema. References are never fetched.');
  const fragment = decodeFragment(target.slice(1));
  if (fragment === '' || (fragment !== undefined && known.anchors?.has(fragment))) return;
  if (fragment === undefined || !resolves(place.resource, fragment)) throw fault('which does not exist.');
}

function resolves(resource: JsonObject, pointer: string): boolean {
  if (!pointer.startsWith('/')) return false;
  const found = valueAt(resource, pointer);
  return typeof found === 'boolean' || isJsonObject(found);
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function tooLarge(where: string, problem: string): DefinitionError {
  return new DefinitionError({
    where,
    problem: `its schema ${problem}.`,
    fix: 'Simplify the arguments: split the tool, or accept the deep part as a plain { "type": "object" } and check it in the method.',
  });
}

function at(place: SchemaPlace): string {
  return `#${place.pointer}`;
}
