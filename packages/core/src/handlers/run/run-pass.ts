import { InputRequiredSignal, ExecutionOverError } from '../../replay/unwinding.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { Pass } from '../../replay/pass.js';
import { coerceText } from '../../schema/property-values.js';
import type { SchemaResult } from '../../schema/compiled-schema.js';
import type { HandlerCall } from './handler-call.js';
import { InvalidArgumentsError } from '../failure/handler-failure.js';

/** The strata inside of the author's interceptors. */
const INNER = ['validation', 'invocation'] as const;

/** A call and the one of its passes that is meant: a retrying interceptor may begin another while this one is still on its way. */
export interface CallPass {
  readonly call: HandlerCall;
  readonly pass: Pass;
}

/** The innermost part of a pipeline. */
export interface PassBody {
  /** Binds the parameters, opens the gate and calls the author's method. */
  body(current: CallPass): MaybePromise<unknown>;
}

/**
 * One pass: the ledger is loaded, the arguments are checked, then the body runs inside of the inner strata. Suspension is decided here, before any
 * interceptor of the author can touch it: outward the pass fails, so that a transaction rolls back.
 */
export function runPass(call: HandlerCall, inner: PassBody): MaybePromise<unknown> {
  if (!call.isLoaded) call.loadLedger();
  const current = { call, pass: call.execution.beginPass() };
  call.stage = 'arguments';
  let value: MaybePromise<unknown>;
  try {
    // The schema that is advertised, after all guards and before the author's pipes.
    const { inputSchema, kind } = call.handler;
    const parsed = inputSchema.begin(kind === 'tool' ? call.arguments : coerceText(call.arguments, inputSchema.json));
    value = isThenable(parsed) ? parsed.then((checked) => enter(current, checked, inner)) : enter(current, parsed, inner);
  } catch (error) {
    return failed(current, error);
  }
  if (!isThenable(value)) return ended(current, value);
  const settled = value.then(
    (ready) => ended(current, ready),
    (error: unknown) => failed(current, error),
  );
  return call.bodies === undefined ? settled : call.running(settled);
}

/** Fills in the checked arguments, with defaults. A DTO stays plain: the pipes get what came in, and the DTO is made after them. */
function enter(current: CallPass, checked: SchemaResult, inner: PassBody): MaybePromise<unknown> {
  if (!checked.ok) throw new InvalidArgumentsError(checked.issues);
  const { call, pass } = current;
  pass.args = checked.value;
  return call.strata.isEmpty ? inner.body(current) : call.strata.run(INNER, call, () => inner.body(current));
}

/**
 * The gate: lets the body begin, once every parameter has arrived. If the call is to become a task at its start, it has become one then.
 * @throws ExecutionOverError when the pass is over, or its request or task was cancelled while it waited; what the admission throws
 */
export function openGate({ call, pass }: CallPass): Promise<void> | undefined {
  if (pass.over || call.execution.stopped) throw new ExecutionOverError();
  return call.admission?.when === 'start' ? pass.admit() : undefined;
}

function ended({ call: { execution }, pass }: CallPass, value: unknown): MaybePromise<unknown> {
  pass.bodyHasSettled();
  return execution.suspended ? suspended(execution) : value;
}

function failed({ call: { execution }, pass }: CallPass, error: unknown): MaybePromise<unknown> {
  pass.bodyHasSettled(error);
  if (execution.suspended) return suspended(execution);
  throw error;
}

/** Whatever the body made of it, suspension is what happened; a value or an error of its own is dropped. */
async function suspended(execution: HandlerCall['execution']): Promise<never> {
  await execution.drain();
  throw new InputRequiredSignal();
}
