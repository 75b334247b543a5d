import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import { supportsElicitation } from '../envelope/client-capabilities.js';
import { missingCapability } from '../errors/mcp.error.js';
import { McpToolError } from '../errors/mcp-tool.error.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import { Method } from '../protocol/method-names.js';
import type { Pass } from '../replay/pass.js';
import { QuietPromise } from '../replay/quiet-promise.js';
import { compileElicitationSchema, type ElicitationSchema } from '../schema/elicitation-schema.js';
import type { SchemaSource } from '../schema/schema-source.js';
import type { HandlerCall } from './handler-call.js';

/** What a schema source describes: the instance of a DTO class, the output of a Standard Schema, or any JSON of a raw schema. */
export type SchemaOutput<S> = S extends abstract new (...args: never[]) => infer T
  ? T
  : S extends { '~standard': { types?: infer Types } }
    ? NonNullable<Types> extends { output: infer T }
      ? T
      : unknown
    : Record<string, JsonValue>;

/** A form for the user to fill in (MCP client/elicitation, form mode). */
export interface ElicitOptions<S extends SchemaSource> {
  /** What is asked, for a person to read. Never ask for secrets by form. */
  readonly message: string;
  /** The fields: flat, as the revision wants it. Anything nested is an error that names the field. */
  readonly schema: S;
}

/** What the user made of a form. `decline` and `cancel` are answers too. */
export type ElicitAnswer<T> =
  { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' } | { readonly action: 'cancel' };

/** What a client may be able to do for a handler. */
export type ClientFeature = 'elicitation' | 'elicitation.url' | 'sampling' | 'roots';

/** What a tool's method can do beyond returning: ask, record, report, and learn that it should stop. */
export interface McpToolContext {
  /** Aborts when nobody wants the result any more: request gone, task cancelled or expired, execution suspended, node shutting down. */
  readonly signal: AbortSignal;
  readonly principal: McpPrincipal | undefined;
  readonly envelope: RequestEnvelope;
  /**
   * Asks the client's user. The execution may end here and start again from the top once the answer is there, so what stands before it runs again: put
   * effects into `step`. Several questions at once: `await Promise.all([ctx.elicit('a', …), ctx.elicit('b', …)])`; `Promise.race` waits for both.
   * @param key names the question for the lifetime of the call; without one it is `elicit-<n>` in call order
   * @throws McpError -32021 when the client did not declare form elicitation; -32602 when the key asked something else before
   */
  elicit<S extends SchemaSource>(key: string, options: ElicitOptions<S>): Promise<ElicitAnswer<SchemaOutput<S>>>;
  elicit<S extends SchemaSource>(options: ElicitOptions<S>): Promise<ElicitAnswer<SchemaOutput<S>>>;
  /**
   * Runs `run` once and records its JSON result; every later execution gets the recorded one. In a task the result is stored before this
   * returns; otherwise it travels with the client, so there it runs at least once. A step commits its own effects: a transaction that an
   * interceptor opened is rolled back at suspension, while the step stays recorded.
   * @throws NotJsonError when the result is not JSON; whatever `run` throws, which records nothing
   */
  step<T>(key: string, run: () => T | Promise<T>): Promise<T>;
  /** Reports progress; it must increase within one run. @throws RangeError when it does not */
  progress(progress: number, total?: number, message?: string): void;
  /** Becomes a task here, where the tool's admission is `manual` and the client can poll; otherwise goes on at once. */
  becomeTask(): Promise<void>;
  /** Whether the client declared the feature, on this request or the one that created the task. */
  supports(feature: ClientFeature): boolean;
}

/** The context of one pass of a call. */
export function toolContext(call: HandlerCall, pass: Pass): McpToolContext {
  return {
    signal: call.signal,
    principal: call.principal,
    envelope: call.envelope,
    elicit: <S extends SchemaSource>(first: string | ElicitOptions<S>, second?: ElicitOptions<S>) =>
      QuietPromise.of(typeof first === 'string' ? elicit(call, pass, { key: first, ...second! }) : elicit(call, pass, first)),
    step: <T>(key: string, run: () => T | Promise<T>) => QuietPromise.of(pass.step(key, run) as Promise<T>),
    progress: (progress, total, message) =>
      pass.progress({ progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }),
    becomeTask: () => QuietPromise.of(pass.becomeTask()),
    supports: (feature) => supports(call, feature),
  };
}

async function elicit<S extends SchemaSource>(
  call: HandlerCall,
  pass: Pass,
  options: ElicitOptions<S> & { key?: string },
): Promise<ElicitAnswer<SchemaOutput<S>>> {
  if (!supports(call, 'elicitation')) {
    throw missingCapability(`Tool "${call.tool.name}" asks the user; the client must declare form elicitation`, {
      elicitation: { form: {} },
    });
  }
  const schema = compileElicitationSchema(options.schema, call.tool.where);
  const params: JsonObject = { mode: 'form', message: options.message, requestedSchema: schema.json };
  const request = { method: Method.Elicit, params };
  const answer = await pass.ask({ kind: 'elicitation', request, ...(options.key === undefined ? {} : { key: options.key }) });
  return typedAnswer(answer as JsonObject, schema);
}

/** The recorded answer was checked as JSON when it came; here it becomes what the author's schema makes of it. */
async function typedAnswer<T>(answer: JsonObject, schema: ElicitationSchema): Promise<ElicitAnswer<T>> {
  if (answer.action !== 'accept') return { action: answer.action as 'decline' | 'cancel' };
  const parsed = await schema.parse(answer.content ?? {});
  if (!parsed.ok)
    throw new McpToolError(`The answer was not accepted: ${parsed.issues.map((issue) => `${issue.path} ${issue.message}`).join('; ')}`);
  return { action: 'accept', content: parsed.value as T };
}

function supports(call: HandlerCall, feature: ClientFeature): boolean {
  const { capabilities } = call.execution;
  switch (feature) {
    case 'elicitation':
      return supportsElicitation(capabilities, 'form');
    case 'elicitation.url':
      return supportsElicitation(capabilities, 'url');
    case 'sampling':
      return capabilities.sampling !== undefined;
    case 'roots':
      return capabilities.roots !== undefined;
  }
}
