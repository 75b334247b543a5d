import { McpToolError } from '../../errors/mcp-tool.error.js';
import type { JsonObject, JsonValue } from '../../protocol/json.js';
import { Method } from '../../protocol/vocabulary.js';
import { compileElicitationSchema, type ElicitationSchema } from '../../schema/elicitation-schema.js';
import type { SchemaSource } from '../../schema/schema-source.js';
import type { HandlerCall } from '../run/handler-call.js';
import { requireFeature, type Asked } from './ask-client.js';

/** The type that a schema source describes: the instance of a DTO class, the output of a Standard Schema, or any JSON of a raw schema. */
export type SchemaOutput<S> = S extends abstract new (...args: never[]) => infer T
  ? T
  : S extends { '~standard': { types?: infer Types } }
    ? NonNullable<Types> extends { output: infer T }
      ? T
      : unknown
    : Record<string, JsonValue>;

/** A form for the user to fill in (MCP client/elicitation, form mode). */
export interface ElicitOptions<S extends SchemaSource> {
  /** The question, for a person to read. Never ask for secrets by form. */
  readonly message: string;
  /** The fields: flat, as the revision wants it. Anything nested is an error that names the field. */
  readonly schema: S;
}

/** The user's answer to a form. `decline` and `cancel` are answers too. */
export type ElicitAnswer<T> =
  { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' } | { readonly action: 'cancel' };

/** Asks by form. */
export function elicitForm<S extends SchemaSource>(options: ElicitOptions<S>, call: HandlerCall): Asked<ElicitAnswer<SchemaOutput<S>>> {
  requireFeature(call, 'elicitation');
  const schema = compileElicitationSchema(options.schema, call.handler.where);
  const params: JsonObject = { mode: 'form', message: options.message, requestedSchema: schema.json };
  const request = { method: Method.Elicit, params };
  return { kind: 'elicitation', request, read: (answer) => typedAnswer(answer as JsonObject, schema) };
}

/** The recorded answer was checked as JSON when it came; here it becomes what the author's schema makes of it. */
async function typedAnswer<T>(answer: JsonObject, schema: ElicitationSchema): Promise<ElicitAnswer<T>> {
  if (answer.action !== 'accept') return { action: answer.action as 'decline' | 'cancel' };
  const parsed = await schema.parse(answer.content ?? {});
  if (!parsed.ok)
    throw new McpToolError(`The answer was not accepted: ${parsed.issues.map((issue) => `${issue.path} ${issue.message}`).join('; ')}`);
  return { action: 'accept', content: parsed.value as T };
}
