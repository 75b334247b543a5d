import type { McpPrincipal } from '../../envelope/principal.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { JsonObject } from '../../protocol/json.js';
import { type LogLevel, Method, isLogLevel, LOG_LEVELS } from '../../protocol/vocabulary.js';
import type { ClientCapabilities, Root } from '../../protocol/official.js';
import type { SchemaSource } from '../../schema/schema-source.js';
import type { HandlerCall } from '../run/handler-call.js';
import type { CallPass } from '../run/run-pass.js';
import { QuietPromise } from '../../replay/unwinding.js';
import { askClient, requireCapabilities, requireFeature, supportsFeature, type Asked, type ClientFeature } from './ask-client.js';
import { elicitForm, type ElicitAnswer, type ElicitOptions, type SchemaOutput } from './elicit-form.js';
import { elicitUrl, type ElicitUrlAnswer, type ElicitUrlOptions } from './elicit-url.js';
import { sample, type SampleAnswer } from './sample.js';
import type { SampleParams } from './sample-params.js';
import { toJsonValue } from '../../protocol/to-json-value.js';

/** The context of the method of a tool, prompt, resource or template: ask, record, report progress, and learn that it should stop. */
export interface McpHandlerContext {
  /** Aborts when nobody wants the result any more: request gone, task cancelled or expired, execution suspended, node shutting down. */
  readonly signal: AbortSignal;
  readonly principal: McpPrincipal | undefined;
  readonly envelope: RequestEnvelope;
  /**
   * Further keys that the client has put into `_meta` of this request; frozen, empty if there are none. A task does not
   * store them: they are missing when it continues after a question or on another node. Read what you need later in a
   * `step`.
   */
  readonly meta: JsonObject;
  /**
   * Asks the client's user with a form. The execution may end here. When the answer has arrived, the method starts again from the top, so the code
   * before this call runs again: put effects into `step`. To ask several questions at once, give each a key of its own:
   * `await Promise.all([ctx.elicit('a', …), ctx.elicit('b', …)])`. `Promise.race` waits for both.
   * @param key names the question in all executions of the call; without one it is `elicit-<n>` in call order
   * @throws McpError -32021 when the client did not declare form elicitation; -32602 when the key asked something else before
   */
  elicit<S extends SchemaSource>(key: string, options: ElicitOptions<S>): Promise<ElicitAnswer<SchemaOutput<S>>>;
  elicit<S extends SchemaSource>(options: ElicitOptions<S>): Promise<ElicitAnswer<SchemaOutput<S>>>;
  /**
   * Asks the client's user to open a page: for secrets, payments and the consent of third parties, none of which may pass through the client.
   * `accept` means that the user agreed to open the page. What happened on it, the server must learn from the page. Otherwise like `elicit`.
   * @throws McpError -32021 when the client did not declare `elicitation.url`
   */
  elicitUrl(key: string, options: ElicitUrlOptions): Promise<ElicitUrlAnswer>;
  elicitUrl(options: ElicitUrlOptions): Promise<ElicitUrlAnswer>;
  /**
   * Asks the client's model. If the user declines, the client usually does not send the call again. Otherwise like `elicit`; without a key it is
   * `sample-<n>` in call order.
   * @throws McpError -32021 when the client did not declare `sampling`, or `sampling.tools` or `sampling.context` where the params use them
   * @deprecated by the revision 2026-07-28 (SEP-2577), which keeps it for at least twelve months: new servers call the API of a model themselves
   */
  sample(key: string, params: SampleParams): Promise<SampleAnswer>;
  sample(params: SampleParams): Promise<SampleAnswer>;
  /**
   * Asks on which folders and files of the client the server may work. Otherwise like `elicit`; without a key it is `roots-<n>` in call order.
   * @throws McpError -32021 when the client did not declare `roots`
   * @deprecated by the revision 2026-07-28 (SEP-2577), which keeps it for at least twelve months: new servers take paths as arguments, as resource URIs or by configuration
   */
  listRoots(key?: string): Promise<Root[]>;
  /**
   * Runs `run` once and records its JSON result; every later execution gets the recorded one. In a task the result is stored before this
   * returns; otherwise it travels with the client, so there it runs at least once. A step commits its own effects: a transaction that an
   * interceptor opened is rolled back at suspension, while the step stays recorded.
   * @throws NotJsonError when the result is not JSON; whatever `run` throws, which records nothing
   */
  step<T>(key: string, run: () => T | Promise<T>): Promise<T>;
  /**
   * Reports progress. It must be a number that rises within one execution; a report that does not rise, or is malformed, is dropped and the first one is
   * logged as a warning. A new message at the same value becomes a task's status message and is not sent as a notification.
   */
  progress(progress: number, total?: number, message?: string): void;
  /**
   * Sends a log message to the client, if this request asked for its level and `McpModuleOptions.logging` is on; otherwise, and in a task, it
   * does nothing. Don't log secrets or personal data. The next execution sends messages before a question again.
   * @param data any JSON
   * @param logger who logs, by a name that stays the same
   * @throws RangeError when the level is unknown; NotJsonError when `data` is not JSON
   * @deprecated by the revision 2026-07-28 (SEP-2577), which keeps it for at least twelve months: new servers log to stderr or by OpenTelemetry
   */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Whether the client declared the feature, on this request or the one that created the task. */
  supports(feature: ClientFeature): boolean;
  /** Rejects a client that lacks one of `capabilities`. @throws McpError -32021 that names exactly those that the client did not declare */
  requireCapability(capabilities: ClientCapabilities): void;
}

const NO_META: JsonObject = Object.freeze({});

/** The context of one pass of a call; for a tool, an `McpToolContext`. */
export function handlerContext(current: CallPass): McpHandlerContext {
  const { call, pass } = current;
  const context: McpHandlerContext = {
    // Made when it is first looked at.
    get signal() {
      return call.signal;
    },
    principal: call.principal,
    envelope: call.envelope,
    meta: call.envelope.meta ?? NO_META,
    elicit: <S extends SchemaSource>(first: string | ElicitOptions<S>, second?: ElicitOptions<S>) =>
      askClient(current, elicitForm<S>, typeof first === 'string' ? { options: second!, key: first } : { options: first }),
    elicitUrl: (first: string | ElicitUrlOptions, second?: ElicitUrlOptions) =>
      askClient(current, elicitUrl, typeof first === 'string' ? { options: second!, key: first } : { options: first }),
    sample: (first: string | SampleParams, second?: SampleParams) =>
      askClient(current, sample, typeof first === 'string' ? { options: second!, key: first } : { options: first }),
    listRoots: (key) => askClient(current, roots, { options: undefined, key }),
    step: <T>(key: string, run: () => T | Promise<T>) => QuietPromise.of(pass.step(key, run) as Promise<T>),
    progress: (progress, total, message) => pass.progress({ progress, total, message }),
    log: (level, data, logger) => log(current, { level, data, logger }),
    supports: (feature) => supportsFeature(call, feature),
    requireCapability: (capabilities) => requireCapabilities(call, capabilities),
  };
  if (call.handler.kind !== 'tool') return context;
  // Not by a spread, which would look at the signal.
  return Object.assign(context, { becomeTask: () => QuietPromise.of(pass.becomeTask()) } satisfies Partial<McpToolContext>);
}

/** The context of a tool's method: everything that every handler can do, and becoming a task. */
export interface McpToolContext extends McpHandlerContext {
  /** Becomes a task here, if the tool's admission is `manual` and the client can poll; otherwise returns at once. */
  becomeTask(): Promise<void>;
}

/** Asks for the client's roots (MCP client/roots). */
function roots(_options: undefined, call: HandlerCall): Asked<Root[]> {
  requireFeature(call, 'roots');
  const request = { method: Method.ListRoots };
  return { kind: 'roots', request, read: (answer) => (answer as unknown as { roots: Root[] }).roots };
}

/** One log message of an author's, not checked yet. */
export interface LogWords {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** Sends a log message where the request asked for its level. Mistakes show whether it did or not, so that they are found before a client asks. */
export function log({ pass }: CallPass, { level, data, logger }: LogWords): void {
  if (!isLogLevel(level)) throw new RangeError(`"${String(level)}" is not a log level; the levels are ${LOG_LEVELS.join(', ')}`);
  const json = toJsonValue(data, 'the data of a log message') ?? null;
  pass.log({ level, data: json, logger });
}
