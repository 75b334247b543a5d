import type { JsonObject, JsonValue } from '../../protocol/json.js';
import type { PropertyFacts } from './class-facts.js';
import { sameJson } from '../json-copy.js';

/** Two rules of one property contradict each other: no value has both types. */
export class TypeConflict extends Error {}

/**
 * Adds a rule's keywords to those of the rules before it, so that all of them hold. Two rules that use one keyword
 * (`@Matches` twice) both hold: the second goes into `allOf`.
 * @throws TypeConflict
 */
export function mergeKeywords(into: JsonObject, keywords: JsonObject): JsonObject {
  const merged = { ...into };
  for (const [keyword, value] of Object.entries(keywords)) {
    if (keyword === 'type') merged['type'] = narrowerType(merged['type'], value);
    else if (keyword === 'allOf') merged['allOf'] = [...allOf(merged), ...allOf(keywords)];
    else if (merged[keyword] === undefined || sameJson(merged[keyword], value)) merged[keyword] = value;
    else merged['allOf'] = [...allOf(merged), { [keyword]: value }];
  }
  return merged;
}

function allOf(schema: JsonObject): JsonValue[] {
  return Array.isArray(schema['allOf']) ? schema['allOf'] : [];
}

function narrowerType(before: JsonValue | undefined, added: JsonValue): JsonValue {
  if (before === undefined || before === added) return added;
  const pair = [before, added];
  if (pair.includes('integer') && pair.includes('number')) return 'integer';
  throw new TypeConflict(`one decorator wants type ${JSON.stringify(before)}, another ${JSON.stringify(added)}`);
}

/** A format is advice: class-validator says what a URL or a date is, and no two libraries agree. */
export function withoutFormats(keywords: JsonObject): JsonObject {
  const { format, anyOf, ...rest } = keywords;
  if (format === undefined && !isFormats(anyOf)) return keywords;
  return isFormats(anyOf) || anyOf === undefined ? rest : { ...rest, anyOf };
}

function isFormats(anyOf: JsonValue | undefined): boolean {
  return Array.isArray(anyOf) && anyOf.every((branch) => typeof branch === 'object' && branch !== null && 'format' in branch);
}

/** The schema with the format that `@McpField` gives, if it does; that one is enforced. */
export function withFormat({ field }: PropertyFacts, json: JsonObject): JsonObject {
  if (field?.format === undefined) return json;
  const { anyOf, ...rest } = json;
  // The alternatives that a format decorator gives are formats; the author's one format is narrower.
  return { ...(isFormats(anyOf) || anyOf === undefined ? rest : json), format: field.format };
}
