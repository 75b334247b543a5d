import type { InputRequest } from '../protocol/messages.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.js';
import { compileElicitationSchema, type ElicitationSchema } from '../schema/elicitation-schema.js';
import { canonicalJson } from './slot.js';

/** Compiled answer schemas by their own text, since messages differ where schemas don't; bounded, since a schema may hold text of the caller. */
const compiled = new Map<string, ElicitationSchema>();
const MAX_COMPILED = 500;

/**
 * The answer to an elicitation, or undefined when it does not conform. `decline` and `cancel` are answers; content counts only with `accept`
 * of a form (MCP client/elicitation "Response"). To accept without content is to accept the empty form, if every field may be left out.
 */
export function acceptElicitation(request: InputRequest | undefined, raw: unknown): JsonValue | undefined {
  if (!isJsonObject(raw)) return undefined;
  if (raw.action === 'decline' || raw.action === 'cancel') return { action: raw.action };
  if (raw.action !== 'accept') return undefined;
  const requested = request?.params?.requestedSchema;
  // A page to open has no schema.
  if (!isJsonObject(requested)) return { action: 'accept' };
  const parsed = schemaOf(requested).parse(raw.content === undefined ? {} : raw.content);
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
