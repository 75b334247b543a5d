import type { InputRequest } from '../protocol/messages.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import { acceptAnswer } from './accept-answer.js';
import type { Admission, ExecutionCarrier } from './execution-carrier.js';
import type { ExecutionStart } from './execution-start.js';
import { ExecutionOverError, QuietPromise, asUnwinding, never, type UnwindingScope } from './unwinding.js';
import { FollowedSignal } from '../protocol/abort-source.js';
import type { LedgerEntry, LedgerSnapshot } from './ledger.js';
import { LedgerUse } from './ledger-drift.js';
import { Pass, type PassHost } from './pass.js';
import { PendingWindow, type WindowHost } from './pending-window.js';
import { keyChanged } from './slot.js';
import { type StepHooks, Steps } from './steps.js';
import { UnheardFailures } from './unheard-failures.js';

/** Why the signal aborts when the pipeline ends before its body, by a timeout say. */
const ENDED = 'ended';

/** Refusals in one execution that a body may make something of; far more than there are branches to unwind. */
const MAX_REFUSALS = 10_000;

/**
 * One run of a handler, from the top, against a ledger.
 *
 * open: passes begin and ask. suspended: a question was reached unanswered; steps in flight end and are recorded, nothing new starts, and
 * whatever the handler or an interceptor makes of it, the outcome is input-required. faulted: something was decided that no handler code may
 * undo (a failed admission, a broken replay). over: the pipeline has settled; every pass is over and late `ctx` calls are refused.
 */
export class Execution implements PassHost, WindowHost, StepHooks {
  readonly admission: Admission | undefined;
  /** Whether a question was reached unanswered. */
  suspended = false;
  over = false;
  /** Whether the execution outlives its request: its admission is durable. */
  admitted = false;
  /** The error that was decided, whatever the handler makes of it. */
  fault: { readonly error: unknown } | undefined;
  /** The last refusal of a body that was given up, because it never stops asking for what it was refused. */
  givenUp: { readonly error: unknown } | undefined;
  /** Called once, when the body is given up. */
  onGivenUp: ((error: unknown) => void) | undefined;
  /** The async scope of everything that the handler starts, if the handler may ask. */
  readonly scope: UnwindingScope = {};
  readonly followed: FollowedSignal;
  /** Where it reports: the request, then the task that it became. */
  carrier: ExecutionCarrier;
  // What most executions never need is made when something is to go into it.
  ledger?: Map<string, LedgerEntry>;
  offers?: JsonObject;
  currentPass?: Pass;
  steps?: Steps;
  window?: PendingWindow;
  /** The questions that were reached unanswered, in that order. */
  asked?: Map<string, InputRequest>;
  /** Absent where no ledger was given and none differs from it: there is nothing to compare. */
  use?: LedgerUse;
  private unheard?: UnheardFailures;
  private admitting?: Promise<void>;
  private refusals = 0;
  private hasDropped = false;

  constructor(readonly start: ExecutionStart) {
    this.carrier = start.carrier;
    this.admission = start.admission;
    this.followed = new FollowedSignal(start.carrier.signal);
  }

  /** One object for the whole execution; what it follows moves from the request to the task at admission. */
  get signal(): AbortSignal {
    return this.followed.signal;
  }

  /** The ledger as it is now. */
  snapshot(): LedgerSnapshot {
    return this.ledger ? [...this.ledger.values()] : [];
  }

  /** Whether nobody wants the result any more. Suspension aborts the signal too, and so does the end of a pipeline that left its body behind. */
  get stopped(): boolean {
    return this.followed.aborted && !this.suspended && this.followed.reason !== ENDED;
  }

  /**
   * Loads the answers so far. Call it before the first pass.
   * @param offers answers that came without a ledger; accepted for keys that the author chose, if they conform to the
   * question
   */
  load(snapshot: LedgerSnapshot, offers?: JsonObject): void {
    if (snapshot.length > 0) {
      this.ledger = new Map(snapshot.map((entry) => [entry.key, entry]));
      this.use = new LedgerUse(snapshot);
    }
    if (offers) this.offers = offers;
  }

  /** The offered answer for a question that the author gave a key, recorded when it conforms. */
  takeOffer(entry: LedgerEntry): JsonValue | undefined {
    if (!this.offers || !Object.hasOwn(this.offers, entry.key)) return undefined;
    const response = acceptAnswer(entry, this.offers[entry.key]);
    if (response !== undefined) this.put({ ...entry, answered: true, response });
    return response;
  }

  /**
   * Begins a pass: one subscription of the handler. Ordinals and used keys start again, and the former pass is over.
   */
  beginPass(): Pass {
    if (this.over) throw new ExecutionOverError();
    if (this.currentPass) this.currentPass.over = true;
    this.currentPass = new Pass(this);
    return this.currentPass;
  }

  /** Marks a slot as reached unanswered: from here on the outcome is input-required. */
  ask(entry: LedgerEntry): Promise<never> {
    this.put(entry);
    this.suspended = true;
    (this.asked ??= new Map()).set(entry.key, entry.request!);
    return (this.window ??= new PendingWindow(this)).park();
  }

  /** Runs a step that the ledger does not hold, or joins the run that a former pass has begun. */
  runStep(key: string, run: () => unknown): Promise<JsonValue | undefined> {
    (this.use ??= new LedgerUse([])).run(key);
    const result = QuietPromise.of((this.steps ??= new Steps(this)).run(key, run));
    (this.unheard ??= new UnheardFailures((failed, error) => this.start.onUnheardFailure?.(failed, error))).watch(key, result);
    return result;
  }

  /** Fails the execution: the handler reached a slot with something else than it holds. */
  mismatch(key: string): Promise<never> {
    (this.use ??= new LedgerUse([])).change(key);
    const error = keyChanged(key);
    this.fail(error);
    return this.refuse(error);
  }

  /**
   * The refusal of a `ctx` call, until there are so many that the body must be catching them in a loop: from then on
   * calls never settle, so that the event loop continues, and the waiter of the body gets an error.
   */
  refuse(error: Error): Promise<never> {
    const refusal = asUnwinding(error);
    this.refusals += 1;
    if (this.refusals <= MAX_REFUSALS) return Promise.reject(refusal);
    if (!this.givenUp) {
      this.start.onLateCall?.(`a handler that keeps catching errors of its context, most recently: ${refusal.message}`);
      this.givenUp = { error: refusal };
      this.onGivenUp?.(refusal);
    }
    return never();
  }

  /** Decides the outcome: the first fault wins over anything the handler or its interceptors do. */
  fail(error: unknown): void {
    this.fault ??= { error };
  }

  /** Becomes what the admission makes of it, at most once; resolves when the execution may go on. Without an admission, at once. */
  admit(): Promise<void> {
    return (this.admitting ??= this.runAdmission());
  }

  dropped(why: string): void {
    if (!this.hasDropped) this.start.onDropped?.(why);
    this.hasDropped = true;
  }

  /** After the body of a suspended pass has settled: every step in flight ends and is recorded, then the signal aborts. */
  async drain(): Promise<void> {
    for (let idle = this.steps?.idle(); idle; idle = this.steps?.idle()) await idle;
    this.followed.abort('suspended');
  }

  /** The pipeline has settled: every pass is over. */
  end(): void {
    if (this.over) return;
    const abandoned = this.currentPass && !this.currentPass.bodySettled;
    this.over = true;
    this.unheard?.end(this.suspended || this.fault !== undefined);
    if (this.currentPass) this.currentPass.over = true;
    if (abandoned) this.followed.abort(ENDED);
    this.followed.follow(undefined);
    this.carrier.left?.();
  }

  /** Asks the carrier whether a step may begin. */
  beforeStep(): Promise<void> | undefined {
    const before = this.carrier.recorder?.before?.();
    return before && this.decisive(before);
  }

  /** Stores a step where it outlives the execution, then in the ledger. */
  async recordStep(entry: LedgerEntry): Promise<void> {
    await this.decisive(this.carrier.recorder?.record(entry));
    this.put(entry);
  }

  private async runAdmission(): Promise<void> {
    const { admission } = this;
    if (!admission) return;
    try {
      const admitted = await admission.admit({ ledger: this.snapshot(), principal: this.start.principal });
      this.admitted = true;
      this.carrier.left?.();
      this.carrier = admitted.carrier;
      this.followed.follow(admitted.carrier.signal);
      await admitted.ready;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Adds a slot, or replaces the one of the same key where it stands. */
  private put(entry: LedgerEntry): void {
    (this.ledger ??= new Map()).set(entry.key, entry);
  }

  /** A rejection is decided: no handler code may undo it. */
  private async decisive(work: Promise<void> | undefined): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }
}
