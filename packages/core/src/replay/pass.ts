import { McpError } from '../errors/mcp.error.js';
import { ErrorCode } from '../protocol/vocabulary.js';
import type { InputRequest } from '../protocol/messages.js';
import type { JsonValue } from '../protocol/json.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import type { LogMessage, ProgressUpdate } from '../notifications/sinks.js';
import { ExecutionOverError, InputRequiredSignal } from './unwinding.js';
import { fingerprintRequest, keyFault, keyTwice } from './slot.js';
import type { LedgerEntry, LedgerEntryKind, Ledger } from './ledger.js';
import type { LedgerUse } from './ledger-drift.js';
import { never } from './refusals.js';
import { ProgressOrder } from './progress-order.js';
import type { PendingWindow } from './pending-window.js';
import { QuietPromise } from './quiet-promise.js';
import type { Steps } from './steps.js';
import type { UnheardFailures } from './unheard-failures.js';

/** A question on its way into the ledger. */
export interface Question {
  readonly kind: Exclude<LedgerEntryKind, 'step'>;
  /** The author's key; without one it is `<kind prefix>-<n>` in call order. */
  readonly key?: string;
  readonly request: InputRequest;
}

/** The execution, as a pass uses it. */
export interface PassHost {
  readonly stopped: boolean;
  readonly suspended: boolean;
  readonly ledger: Ledger;
  readonly window: PendingWindow;
  readonly steps: Steps;
  readonly use: LedgerUse;
  readonly unheard: UnheardFailures;
  ask(entry: LedgerEntry): Promise<never>;
  takeOffer(entry: LedgerEntry): JsonValue | undefined;
  admit(): Promise<void>;
  fail(error: unknown): void;
  progress(update: ProgressUpdate): void;
  log(message: LogMessage): void;
  refuse(error: Error): Promise<never>;
  lateCall(what: string): void;
  /** Reports advice that was dropped; only the first of an execution is logged. */
  dropped(why: string): void;
}

/** One subscription of the handler. A retrying interceptor makes several in one execution; only the last one may use its context. */
export class Pass {
  /** The parsed arguments of this pass. */
  args: unknown;
  /** Whether the body has returned or thrown. */
  bodySettled = false;
  /** Whether its context may no longer be used. */
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

  /** The body has returned or thrown. */
  bodyHasSettled(): void {
    this.bodySettled = true;
    this.announceSettled?.();
  }

  /** Called when another pass begins, and when the execution is over. */
  end(): void {
    this.over = true;
  }

  /** Whether `error` is one that this pass refused a `ctx` call with: a body that ends by it can't go on, whatever else it has asked. */
  hasRefused(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.refusals?.has(error) === true;
  }

  /** The answer at the question's slot, or the end of this execution. @throws McpError -32602 when the slot holds another question */
  ask(question: Question): Promise<JsonValue> {
    if (this.bodySettled) return this.late(question.key ?? question.kind);
    const refusal = this.refusal('asked the client');
    if (refusal) return this.execution.refuse(refusal);
    const key = question.key ?? `${ORDINAL_PREFIX[question.kind]}-${++this.ordinal}`;
    const fault = this.claim(key);
    if (fault) return this.execution.refuse(fault);
    if (this.execution.steps.isRunning(key)) return this.mismatch(key);
    const fingerprint = fingerprintRequest(question.request);
    const entry = this.execution.ledger.get(key);
    if (entry && (entry.kind !== question.kind || entry.fingerprint !== fingerprint)) return this.mismatch(key);
    if (entry?.answered) return Promise.resolve(copyOf(entry.response)!);
    const slot = entry ?? { key, kind: question.kind, fingerprint, request: question.request, answered: false };
    const offered = entry || question.key === undefined ? undefined : this.execution.takeOffer(slot);
    if (offered !== undefined) return Promise.resolve(copyOf(offered)!);
    if (this.execution.window.closed) return this.execution.refuse(new InputRequiredSignal());
    return this.execution.ask(slot);
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
    const entry = this.execution.ledger.get(key);
    if (entry && entry.kind !== 'step') return this.mismatch(key);
    if (entry) return Promise.resolve(copyOf(entry.response));
    return this.nothingNewStarts() ?? this.run(key, run);
  }

  /** Becomes a task here, where that was left to the handler; otherwise at once. */
  becomeTask(): Promise<void> {
    if (this.bodySettled) return this.late('becomeTask');
    const refusal = this.refusal('asked to become a task');
    if (refusal) return this.execution.refuse(refusal);
    return this.nothingNewStarts() ?? this.admit();
  }

  /** Admits the execution, then makes sure that this pass may still go on. */
  async admit(): Promise<void> {
    await this.execution.admit();
    this.mustGoOn();
  }

  /** @throws ExecutionOverError when the pass is over, or its request or task was cancelled while it waited */
  mustGoOn(): void {
    if (this.over || this.execution.stopped) throw new ExecutionOverError();
  }

  /**
   * Reports progress. A report that is malformed or does not rise is dropped, and so is one that comes after the body has settled: advice never
   * costs the result. @throws ExecutionOverError in a body that still runs though its execution is over
   */
  progress(update: ProgressUpdate): void {
    if (this.bodySettled) return this.execution.lateCall('progress');
    if (this.over) throw new ExecutionOverError();
    const fault = (this.progressOrder ??= new ProgressOrder()).take(update);
    if (fault === undefined) this.execution.progress(update);
    else this.execution.dropped(fault);
  }

  /** Sends a log message. What comes after the body has settled comes too late, which is no mistake. */
  log(message: LogMessage): void {
    if (this.bodySettled || this.over) this.execution.lateCall('log');
    else this.execution.log(message);
  }

  private refusal(what: string): Error | undefined {
    if (this.over || this.execution.stopped) return new ExecutionOverError();
    if (this.execution.steps.inside)
      return new Error(`A step function ${what}: do that outside of the step, which otherwise might never end`);
    return undefined;
  }

  private nothingNewStarts(): Promise<never> | undefined {
    if (this.execution.window.closed) return this.execution.refuse(new InputRequiredSignal());
    return this.execution.suspended ? this.execution.window.park() : undefined;
  }

  /** Takes a key for this run, or says why it cannot be had. */
  private claim(key: string): Error | undefined {
    const used = (this.used ??= new Set());
    const fault = keyFault(key) ?? (used.has(key) ? keyTwice(key) : undefined);
    if (fault) return fault;
    used.add(key);
    this.execution.use.reach(key);
    return undefined;
  }

  private run(key: string, run: () => unknown): Promise<JsonValue | undefined> {
    const { use, steps, unheard } = this.execution;
    use.run(key);
    const result = QuietPromise.of(steps.run(key, run));
    unheard.watch(key, result);
    return result;
  }

  private mismatch(key: string): Promise<never> {
    this.execution.use.change(key);
    const message = `The handler reached "${key}" with another question than before; a handler's questions must not change between its runs`;
    const error = new McpError(ErrorCode.InvalidParams, message);
    this.execution.fail(error);
    return this.execution.refuse(error);
  }

  private late(what: string): Promise<never> {
    this.execution.lateCall(what);
    // A leftover branch of a suspended execution is left alone; whoever kept the context of a call that has ended is told.
    return this.execution.suspended ? never() : Promise.reject(new ExecutionOverError());
  }
}

const ORDINAL_PREFIX: Record<Question['kind'], string> = { elicitation: 'elicit', sampling: 'sample', roots: 'roots' };

/** Copies a value of the ledger before it is handed out: a body may change its copy, and a later execution must get the original again. */
function copyOf(value: JsonValue | undefined): JsonValue | undefined {
  return toJsonValue(value, 'a ledger entry');
}
