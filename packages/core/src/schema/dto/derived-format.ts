import type { JsonObject, JsonValue } from '../../protocol/json.js';
import type { PropertyFacts } from './class-facts.js';

/** A format is advice: class-validator says what a URL or a date is, and no two libraries agree. */
export function withoutFormats(keywords: JsonObject): JsonObject {
  const { format, anyOf, ...rest } = keywords;
  if (format === undefined && !isFormats(anyOf)) return keywords;
  return isFormats(anyOf) || anyOf === undefined ? rest : { ...rest, anyOf };
}

function isFormats(anyOf: JsonValue | undefined): boolean {
  return Array.isArray(anyOf) && anyOf.every((branch) => typeof branch === 'object' && branch !== null && 'format' in branch);
}

/** The schema with the format that `@McpField` gives, if it does; that is the author's word, and enforced. */
export function withFormat({ field }: PropertyFacts, json: JsonObject): JsonObject {
  if (field?.format === undefined) return json;
  const { anyOf, ...rest } = json;
  // The alternatives that a format decorator gives are formats; the author's one format is narrower.
  return { ...(isFormats(anyOf) || anyOf === undefined ? rest : json), format: field.format };
}
