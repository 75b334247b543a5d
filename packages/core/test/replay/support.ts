import type { JsonObject, JsonValue } from '../../src/protocol/json.js';
import type { MaybePromise } from '../../src/protocol/maybe-promise.js';
import { answerLedger } from '../../src/replay/accept-answer.js';
import type { Admission, ExecutionCarrier } from '../../src/replay/execution-carrier.js';
import type { LedgerEntry, LedgerSnapshot } from '../../src/replay/ledger.js';
import type { Pass, Question } from '../../src/replay/pass.js';
import { settle, type Settled } from '../../src/replay/settle.js';
import { Execution } from '../../src/replay/execution.js';
import type { ExecutionStart } from '../../src/replay/execution-start.js';
import type { InputRequests } from '../../src/protocol/messages.js';
import { turns } from '../../../../test/support/flow.js';

/** What a body under test can do. */
export interface Context {
  readonly execution: Execution;
  readonly pass: Pass;
  readonly signal: AbortSignal;
  /** Asks at a key of the author's. */
  ask(key: string, message?: string): Promise<JsonValue>;
  /** Asks at the next ordinal. */
  askNext(message?: string): Promise<JsonValue>;
  step(key: string, run: () => unknown): Promise<JsonValue | undefined>;
}

export type Body<T> = (context: Context) => Promise<T>;

export interface Setup {
  readonly ledger?: LedgerSnapshot;
  readonly offers?: JsonObject;
  readonly carrier?: Partial<ExecutionCarrier>;
  readonly admission?: Admission;
  readonly onLateCall?: (what: string) => void;
}

/** How one execution ended. */
export type ReplayOutcome<T> =
  | { readonly kind: 'completed'; readonly value: T; readonly ledger: LedgerSnapshot }
  | { readonly kind: 'inputRequired'; readonly requests: InputRequests; readonly ledger: LedgerSnapshot }
  | { readonly kind: 'failed'; readonly error: unknown; readonly ledger: LedgerSnapshot };

/** Runs a body once against a ledger, as a pipeline without interceptors would. */
export function execute<T>(body: Body<T>, setup: Setup = {}): Promise<ReplayOutcome<T>> {
  return executePipeline((execution) => runPass(execution, body), setup);
}

/** Runs a pipeline that makes its own passes. */
export async function executePipeline<T>(pipeline: (execution: Execution) => Promise<T>, setup: Setup = {}): Promise<ReplayOutcome<T>> {
  const execution = new Execution(startOf(setup));
  return endOf(execution, async () => {
    execution.load(setup.ledger ?? [], setup.offers);
    return pipeline(execution);
  });
}

/** Enters a pipeline by an execution of its own and says how that ended. */
export async function endOf<T>(execution: Execution, enter: () => MaybePromise<T>): Promise<ReplayOutcome<T>> {
  const end = await settle<T, Settled<T>>(execution, { enter, outcomeOf: (settled) => settled });
  const ledger = execution.snapshot();
  if (!execution.fault && execution.suspended)
    return { kind: 'inputRequired', requests: Object.fromEntries(execution.asked ?? []), ledger };
  return end.ok ? { kind: 'completed', value: end.value, ledger } : { kind: 'failed', error: end.error, ledger };
}

/** One pass over a body. */
export async function runPass<T>(execution: Execution, body: Body<T>): Promise<T> {
  const pass = execution.beginPass();
  try {
    return await body(contextOf(execution, pass));
  } finally {
    pass.bodyHasSettled();
  }
}

export function startOf({ carrier, admission, onLateCall }: Setup): ExecutionStart {
  return {
    carrier: carrierOf(carrier),
    ...(admission ? { admission } : {}),
    ...(onLateCall ? { onLateCall } : {}),
  };
}

export function carrierOf(parts: Partial<ExecutionCarrier> = {}): ExecutionCarrier {
  return { signal: new AbortController().signal, progress: { report: () => {} }, ...parts };
}

export function contextOf(execution: Execution, pass: Pass): Context {
  return {
    execution,
    pass,
    signal: execution.signal,
    ask: (key, message) => pass.ask(question(message ?? key, key), same),
    askNext: (message) => pass.ask(question(message), same),
    step: (key, run) => pass.step(key, run),
  };
}

/** Reads an answer as it is. */
export function same(answer: JsonValue): JsonValue {
  return answer;
}

export function question(message = 'What?', key?: string): Question {
  return { kind: 'elicitation', request: { method: 'elicitation/create', params: { message } }, ...(key === undefined ? {} : { key }) };
}

/** The keys that an outcome asks for, in order; fails the test when it asks for nothing. */
export function asked(outcome: ReplayOutcome<unknown>): string[] {
  if (outcome.kind !== 'inputRequired') throw new Error(`not asked: ${describe(outcome)}`);
  return Object.keys(outcome.requests);
}

/** The value of an outcome; fails the test when it has none. */
export function valueOf<T>(outcome: ReplayOutcome<T>): T {
  if (outcome.kind !== 'completed') throw new Error(`not completed: ${describe(outcome)}`);
  return outcome.value;
}

/** The error of an outcome; fails the test when it has none. */
export function errorOf(outcome: ReplayOutcome<unknown>): any {
  if (outcome.kind !== 'failed') throw new Error(`not failed: ${describe(outcome)}`);
  return outcome.error;
}

/** The ledger of an outcome with answers in it, as a carrier keeps it between two executions: JSON. */
export function answered(outcome: ReplayOutcome<unknown>, answers: JsonObject): LedgerSnapshot {
  return JSON.parse(JSON.stringify(answerLedger(outcome.ledger, answers))) as LedgerSnapshot;
}

/** A ledger with the recorded results of these steps. */
export function recorded(steps: Record<string, JsonValue>): LedgerSnapshot {
  return Object.entries(steps).map(([key, response]): LedgerEntry => ({ key, kind: 'step', fingerprint: '', answered: true, response }));
}

/** How a promise stands now: what is settled shows once the microtasks that are due have run. */
export async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'resolved' | 'rejected'> {
  let state: 'pending' | 'resolved' | 'rejected' = 'pending';
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  );
  await turns(3);
  return state;
}

function describe(outcome: ReplayOutcome<unknown>): string {
  return outcome.kind === 'failed' ? `failed: ${String(outcome.error)}` : JSON.stringify(outcome);
}
