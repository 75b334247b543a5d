import { McpError } from '../errors/mcp.error.js';
import type { InputRequest } from '../protocol/messages.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import type { LogMessage, ProgressUpdate } from '../notifications/sinks.js';
import { ExecutionOverError, InputRequiredSignal, never } from './unwinding.js';
import type { ExecutionCarrier } from './execution-carrier.js';
import type { ExecutionStart } from './execution-start.js';
import { fingerprintRequest, keyFault, keyTwice } from './slot.js';
import type { LedgerEntry, LedgerEntryKind } from './ledger.js';
import type { LedgerUse } from './ledger-drift.js';
import { ProgressOrder } from './progress-order.js';
import type { PendingWindow } from './pending-window.js';
import type { Steps } from './steps.js';

/** A question on its way into the ledger. */
export interface Question {
  readonly kind: Exclude<LedgerEntryKind, 'step'>;
  /** The author's key; without one it is `<kind prefix>-<n>` in call order. */
  readonly key?: string | undefined;
  readonly request: InputRequest;
}

/** The execution, as a pass uses it. */
export interface PassHost {
  readonly start: Pick<ExecutionStart, 'onLateCall'>;
  readonly carrier: Pick<ExecutionCarrier, 'progress' | 'log'>;
  readonly stopped: boolean;
  readonly suspended: boolean;
  readonly ledger?: ReadonlyMap<string, LedgerEntry>;
  /** Answers that came without a ledger. */
  readonly offers?: JsonObject;
  /** Absent until a question stands open. */
  readonly window?: PendingWindow;
  /** Absent until a step runs. */
  readonly steps?: Steps;
  /** Absent where nothing is to be compared. */
  readonly use?: LedgerUse;
  ask(entry: LedgerEntry): Promise<never>;
  takeOffer(entry: LedgerEntry): JsonValue | undefined;
  runStep(key: string, run: () => unknown): Promise<JsonValue | undefined>;
  mismatch(key: string): Promise<never>;
  admit(): Promise<void>;
  fail(error: unknown): void;
  refuse(error: Error): Promise<never>;
  /** Reports advice that was dropped; only the first of an execution is logged. */
  dropped(why: string): void;
}

/** One subscription of the handler. A retrying interceptor makes several in one execution; only the last one may use its context. */
export class Pass {
  /** The parsed arguments of this pass. */
  args: unknown;
  /** Whether the body has returned or thrown. */
  bodySettled = false;
  /** Whether its context may no longer be used: another pass has begun, or the execution is over. */
  over = false;
  private bodyEnd?: Promise<void>;
  private announceSettled?: () => void;
  private ordinal = 0;
  // What most passes never need is made when it is asked for.
  private progressOrder?: ProgressOrder;
  private used?: Set<string>;
  private refusals?: WeakSet<object>;

  constructor(private readonly execution: PassHost) {}

  /** Resolves when the body has returned or thrown. */
  whenBodySettled(): Promise<void> {
    if (this.bodySettled) return Promise.resolve();
    return (this.bodyEnd ??= new Promise((resolve) => (this.announceSettled = resolve)));
  }

  /**
   * The body has returned or thrown.
   * @param error what it threw: if this pass refused a `ctx` call with it, the body can't go on, whatever else it has asked
   */
  bodyHasSettled(error?: unknown): void {
    if (this.refusals?.has(error as object) === true) this.execution.fail(error);
    this.bodySettled = true;
    this.announceSettled?.();
  }

  /**
   * Resolves to the value that `read` gives for the question's answer; without an answer, this execution ends.
   * @throws McpError -32602 when the slot holds another question
   */
  ask<T>(question: Question, read: (answer: JsonValue) => T | Promise<T>): Promise<T> {
    if (this.bodySettled) return this.late(question.key ?? question.kind);
    const refusal = this.refusal('asked the client');
    if (refusal) return this.execution.refuse(refusal);
    const key = question.key ?? `${ORDINAL_PREFIX[question.kind]}-${++this.ordinal}`;
    const fault = this.claim(key);
    if (fault) return this.execution.refuse(fault);
    const { steps, ledger, offers, window } = this.execution;
    if (steps?.isRunning(key)) return this.execution.mismatch(key);
    const fingerprint = fingerprintRequest(question.request);
    const entry = ledger?.get(key);
    if (entry && (entry.kind !== question.kind || entry.fingerprint !== fingerprint)) return this.execution.mismatch(key);
    if (entry?.answered) return Promise.resolve(copyOf(entry.response)!).then(read);
    const slot = entry ?? { key, kind: question.kind, fingerprint, request: question.request, answered: false };
    const offered = entry || question.key === undefined || !offers ? undefined : this.execution.takeOffer(slot);
    if (offered !== undefined) return Promise.resolve(copyOf(offered)!).then(read);
    return window?.closed ? this.execution.refuse(new InputRequiredSignal()) : this.execution.ask(slot);
  }

  /** A `ctx` call that is refused before it gets here, such as a question of a kind the client did not declare; counted as every refusal. */
  refuse(error: Error, what: string): Promise<never> {
    if (error instanceof McpError) (this.refusals ??= new WeakSet()).add(error);
    return this.bodySettled ? this.late(what) : this.execution.refuse(error);
  }

  /** The recorded result at `key`, or that of running `run` now, recorded before it is returned. */
  step(key: string, run: () => unknown): Promise<JsonValue | undefined> {
    if (this.bodySettled) return this.late(key);
    const refusal = this.refusal(`started step "${key}"`);
    if (refusal) return this.execution.refuse(refusal);
    const fault = this.claim(key);
    if (fault) return this.execution.refuse(fault);
    const entry = this.execution.ledger?.get(key);
    if (entry && entry.kind !== 'step') return this.execution.mismatch(key);
    if (entry) return Promise.resolve(copyOf(entry.response));
    return this.nothingNewStarts() ?? this.execution.runStep(key, run);
  }

  /** Becomes a task here, where that was left to the handler; otherwise at once. */
  becomeTask(): Promise<void> {
    if (this.bodySettled) return this.late('becomeTask');
    const refusal = this.refusal('asked to become a task');
    if (refusal) return this.execution.refuse(refusal);
    return this.nothingNewStarts() ?? this.admit();
  }

  /**
   * Admits the execution.
   * @throws ExecutionOverError when the pass is over by then, or its request or task was cancelled while it waited
   */
  async admit(): Promise<void> {
    await this.execution.admit();
    if (this.over || this.execution.stopped) throw new ExecutionOverError();
  }

  /**
   * Reports progress. A report that is malformed or does not rise is dropped, and so is one that comes after the body has settled: advice never
   * costs the result. @throws ExecutionOverError in a body that still runs though its execution is over
   */
  progress(update: ProgressUpdate): void {
    if (this.bodySettled) return this.execution.start.onLateCall?.('progress');
    if (this.over) throw new ExecutionOverError();
    const fault = (this.progressOrder ??= new ProgressOrder()).take(update);
    if (fault === undefined) this.execution.carrier.progress.report(update);
    else this.execution.dropped(fault);
  }

  /** Sends a log message. What comes after the body has settled comes too late, which is no mistake. */
  log(message: LogMessage): void {
    if (this.bodySettled || this.over) this.execution.start.onLateCall?.('log');
    else this.execution.carrier.log?.log(message);
  }

  private refusal(what: string): Error | undefined {
    if (this.over || this.execution.stopped) return new ExecutionOverError();
    if (this.execution.steps?.inside)
      return new Error(`A step function ${what}: do that outside of the step, which otherwise might never end`);
    return undefined;
  }

  private nothingNewStarts(): Promise<never> | undefined {
    const { window } = this.execution;
    return window?.closed ? this.execution.refuse(new InputRequiredSignal()) : window?.park();
  }

  /** Takes a key for this run, or says why it cannot be had. */
  private claim(key: string): Error | undefined {
    const used = (this.used ??= new Set());
    const fault = keyFault(key) ?? (used.has(key) ? keyTwice(key) : undefined);
    if (fault) return fault;
    used.add(key);
    this.execution.use?.reach(key);
    return undefined;
  }

  private late(what: string): Promise<never> {
    this.execution.start.onLateCall?.(what);
    // A leftover branch of a suspended execution is left alone; whoever kept the context of a call that has ended is told.
    return this.execution.suspended ? never() : Promise.reject(new ExecutionOverError());
  }
}

const ORDINAL_PREFIX: Record<Question['kind'], string> = { elicitation: 'elicit', sampling: 'sample', roots: 'roots' };

/** Copies a value of the ledger before it is handed out: a body may change its copy, and a later execution must get the original again. */
function copyOf(value: JsonValue | undefined): JsonValue | undefined {
  return toJsonValue(value, 'a ledger entry');
}
