import { isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.js';
import { compileElicitationSchema, type ElicitationSchema } from '../schema/elicitation-schema.js';
import { canonicalJson } from './fingerprint-request.js';
import type { LedgerEntry } from './ledger-entry.js';

/** Compiled answer schemas by their own text, since messages differ where schemas don't; bounded, since a schema may hold text of the caller. */
const compiled = new Map<string, ElicitationSchema>();
const MAX_COMPILED = 500;

/**
 * What of `raw` answers the question in `entry`, or undefined: an answer that does not conform to what was asked leaves the question open.
 * `decline` and `cancel` are answers; content counts only with `accept` (MCP client/elicitation "Response").
 */
export function acceptAnswer(entry: LedgerEntry, raw: unknown): JsonValue | undefined {
  if (entry.kind !== 'elicitation' || !isJsonObject(raw)) return undefined;
  if (raw.action === 'decline' || raw.action === 'cancel') return { action: raw.action };
  if (raw.action !== 'accept') return undefined;
  const requested = entry.request?.params?.requestedSchema;
  if (!isJsonObject(requested)) return { action: 'accept' };
  const parsed = schemaOf(requested).parse(raw.content ?? {});
  if (parsed instanceof Promise || !parsed.ok) return undefined;
  return { action: 'accept', content: parsed.value as JsonValue };
}

function schemaOf(requested: JsonObject): ElicitationSchema {
  const text = canonicalJson(requested);
  let schema = compiled.get(text);
  if (!schema) {
    schema = compileElicitationSchema(requested, 'the question');
    if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value!);
    compiled.set(text, schema);
  }
  return schema;
}
