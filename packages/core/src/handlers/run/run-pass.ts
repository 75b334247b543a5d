import { InputRequiredSignal } from '../../replay/input-required.signal.js';
import { isThenable, whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { Pass } from '../../replay/pass.js';
import { coerceText } from '../../schema/property-values.js';
import type { HandlerCall } from './handler-call.js';
import { InvalidArgumentsError } from '../failure/handler-failure.js';

/** The strata inside of the author's interceptors. */
const INNER = ['validation', 'invocation'] as const;

/**
 * One pass: the ledger is loaded, the arguments are checked, then `body` runs inside of the inner strata. Suspension is decided here, before any
 * interceptor of the author can touch it: outward the pass fails, so that a transaction rolls back.
 * @param body binds the parameters and calls the author's method
 */
export function runPass(call: HandlerCall, body: (pass: Pass) => MaybePromise<unknown>): MaybePromise<unknown> {
  call.loadLedger();
  const pass = call.execution.beginPass();
  call.stage = 'arguments';
  let value: MaybePromise<unknown>;
  try {
    value = whenReady(checkArguments(call, pass), () => call.strata.run(INNER, call, () => body(pass)));
  } catch (error) {
    return failed(call, pass, error);
  }
  if (!isThenable(value)) return ended(call, pass, value);
  return value.then(
    (settled) => ended(call, pass, settled),
    (error: unknown) => failed(call, pass, error),
  );
}

/**
 * Checks the arguments against the schema that is advertised, after all guards and before the author's pipes, and fills in defaults. A DTO stays
 * plain: the pipes get what came in, and the DTO is made after them.
 */
function checkArguments({ handler, arguments: sent }: HandlerCall, pass: Pass): MaybePromise<void> {
  const { inputSchema, kind } = handler;
  return whenReady(inputSchema.begin(kind === 'tool' ? sent : coerceText(sent, inputSchema.json)), (parsed) => {
    if (!parsed.ok) throw new InvalidArgumentsError(parsed.issues);
    pass.args = parsed.value;
  });
}

function ended({ execution }: HandlerCall, pass: Pass, value: unknown): MaybePromise<unknown> {
  pass.bodyHasSettled();
  return execution.suspended ? suspended(execution) : value;
}

function failed({ execution }: HandlerCall, pass: Pass, error: unknown): MaybePromise<unknown> {
  if (pass.hasRefused(error)) execution.fail(error);
  pass.bodyHasSettled();
  if (execution.suspended) return suspended(execution);
  throw error;
}

/** Whatever the body made of it, suspension is what happened; a value or an error of its own is dropped. */
async function suspended(execution: HandlerCall['execution']): Promise<never> {
  await execution.drain();
  throw new InputRequiredSignal();
}
