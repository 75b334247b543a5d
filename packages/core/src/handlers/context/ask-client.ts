import { missingCapabilities } from '../../envelope/client-capabilities.js';
import { missingCapability, type McpError } from '../../errors/mcp.error.js';
import type { JsonValue } from '../../protocol/json.js';
import type { ClientCapabilities } from '../../protocol/official.js';
import { inputRequest } from '../../protocol/shapes/input-requests.js';
import { misfitText } from '../../protocol/shapes/shape.js';
import type { Question } from '../../replay/pass.js';
import { QuietPromise } from '../../replay/unwinding.js';
import type { HandlerCall } from '../run/handler-call.js';
import type { CallPass } from '../run/run-pass.js';

/** A question to the client, and how its answer reaches the author. */
export interface Asked<T> extends Omit<Question, 'key'> {
  /** Makes the author's value from the recorded answer, which conforms to the question. */
  readonly read: (answer: JsonValue) => T | Promise<T>;
}

/** Makes the question of one kind. What it throws refuses the call: a capability that the client lacks, a mistake of the author. */
export type Asking<O, T> = (options: O, call: HandlerCall) => Asked<T>;

/** A question of an author, with its key; without a key, it gets the next one of its kind. */
export interface AskedFor<O> {
  readonly options: O;
  readonly key?: string | undefined;
}

/** Asks the client. Refusals before the question is there go the way of all refusals, so that no body can swallow them in an endless loop. */
export function askClient<O, T>({ call, pass }: CallPass, asking: Asking<O, T>, { options, key }: AskedFor<O>): Promise<T> {
  let asked: Asked<T>;
  try {
    asked = asking(options, call);
    const misfit = inputRequest(asked.request);
    if (misfit) throw new TypeError(`The question does not conform to the protocol: ${misfitText(misfit, asked.kind)}`);
  } catch (error) {
    return QuietPromise.of(pass.refuse(error as Error, 'a question'));
  }
  const { kind, request, read } = asked;
  return QuietPromise.of(pass.ask({ kind, key, request }, read));
}

/** A feature of the client that a handler may use. `elicitation` is the form mode. */
export type ClientFeature = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'sampling.context' | 'roots';

/** The capabilities that a client must declare for each feature (MCP basic "Capabilities"). */
const REQUIRED: Readonly<Record<ClientFeature, ClientCapabilities>> = {
  elicitation: { elicitation: { form: {} } },
  'elicitation.url': { elicitation: { url: {} } },
  sampling: { sampling: {} },
  'sampling.tools': { sampling: { tools: {} } },
  'sampling.context': { sampling: { context: {} } },
  roots: { roots: {} },
};

/** Whether the client declared the feature, on this request or the one that created the task. */
export function supportsFeature({ envelope }: HandlerCall, feature: ClientFeature): boolean {
  return missingCapabilities(envelope.clientCapabilities, REQUIRED[feature]) === undefined;
}

/** @throws McpError -32021 naming what of the feature the client did not declare, and nothing else */
export function requireFeature(call: HandlerCall, feature: ClientFeature): void {
  const missing = missingCapabilities(call.envelope.clientCapabilities, REQUIRED[feature]);
  // A copy, since whoever catches the error may change its data.
  if (missing !== undefined) throw undeclared(call, structuredClone(missing));
}

/** @throws McpError -32021 naming what of `required` the client did not declare, and nothing else (MCP basic "Error codes") */
export function requireCapabilities(call: HandlerCall, required: ClientCapabilities): void {
  const missing = missingCapabilities(call.envelope.clientCapabilities, required);
  if (missing !== undefined) throw undeclared(call, missing);
}

function undeclared({ handler }: HandlerCall, missing: ClientCapabilities): McpError {
  return missingCapability(`"${handler.name}" needs a client that declares ${pathsOf(missing).join(', ')}`, missing);
}

/** `elicitation.url`, for a person to read. */
function pathsOf(capabilities: object): string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    const inner = typeof value === 'object' && value !== null ? pathsOf(value as object) : [];
    return inner.length === 0 ? [name] : inner.map((path) => `${name}.${path}`);
  });
}
