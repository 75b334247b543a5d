import { ExpirySweeper } from '../store/deadlines.js';
import type { TaskKey } from '../store/task-key.js';
import { within } from './retrying.js';
import { SlotGuard, type SlotGuardParts } from './slot-guard.js';
import type { TaskAbortReason, TaskAttempt } from './task-attempt.js';

/** A write that may begin an attempt; `aborted` if the attempt was aborted before it began. */
export interface PendingClaim {
  aborted?: TaskAbortReason;
  /** Somebody said meanwhile that the task may not be this node's any more. */
  isSuspect?: true;
}

/** Parts of the attempts that run. */
export interface RunningAttemptsParts extends SlotGuardParts {
  /** Tasks that wait for a slot on this node. @default none */
  readonly passedOver?: { readonly size: number } | undefined;
}

/**
 * The attempts that run on this node. An attempt is here from its claim until it has settled. It is aborted when its
 * task expires. After it is aborted, its slot is free again when the body ends or after `abandonAfterMs`, whichever
 * comes first; a body that still runs then counts as a zombie.
 */
export class RunningAttempts {
  private readonly byKey = new Map<TaskKey, TaskAttempt>();
  /** Attempts that go on though a later one at the same task has begun. */
  private readonly outrun = new Set<TaskAttempt>();
  /** Those of the attempts that should end. */
  private readonly guards = new Map<TaskAttempt, SlotGuard>();
  /** Claims whose write is under way: a cancel that comes meanwhile must not be lost. */
  private readonly claims = new Map<TaskKey, Set<PendingClaim>>();
  private readonly expiry: ExpirySweeper<TaskKey>;
  private isShutDown = false;

  private readonly onAborted = (attempt: TaskAttempt): void => this.guardOf(attempt).start();

  constructor(private readonly parts: RunningAttemptsParts) {
    const { clock } = parts;
    // Of deadlines by `elapsed`, at each of which it looks.
    const elapsed = { now: () => clock.elapsed(), setTimer: (wake: () => void, ms: number) => clock.setTimer(wake, ms) };
    this.expiry = new ExpirySweeper(
      elapsed,
      { entries: this.byKey, deadlines: () => this.deadlines(), expire: (key) => this.expire(key) },
      0,
    );
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Keeps `attempt` until `ended`. */
  add(attempt: TaskAttempt): void {
    const { key, expiresAt } = attempt;
    const former = this.byKey.get(key);
    if (former) this.outrun.add(former);
    this.byKey.set(key, attempt);
    this.expiry.track(key, expiresAt);
    attempt.onAborted = this.onAborted;
    if (attempt.signal.aborted) this.onAborted(attempt);
    else if (this.isShutDown) attempt.abort('shutdown');
  }

  /** The attempt has settled. */
  ended(attempt: TaskAttempt): void {
    attempt.releaseSlot();
    this.guards.get(attempt)?.bodyHasEnded();
    this.guards.delete(attempt);
    if (this.byKey.get(attempt.key) === attempt) this.byKey.delete(attempt.key);
    else this.outrun.delete(attempt);
    if (this.byKey.size + this.outrun.size === 0) this.expiry.untrack();
    if (this.parts.passedOver?.size) this.parts.placeFreed?.();
  }

  /** Marks the claims under way of a task: what they begin is to be checked. */
  suspect(key: TaskKey): void {
    for (const claim of this.claims.get(key) ?? []) claim.isSuspect = true;
  }

  /** Keeps signals for the task's attempt while `claiming`, the write that begins it, is under way. */
  async claim<T>(key: TaskKey, claiming: (claim: PendingClaim) => Promise<T>): Promise<T> {
    const claim: PendingClaim = {};
    const claims = this.claims.get(key) ?? new Set();
    this.claims.set(key, claims.add(claim));
    try {
      return await claiming(claim);
    } finally {
      claims.delete(claim);
      if (claims.size === 0) this.claims.delete(key);
    }
  }

  /** Tells the attempt of a task to stop, if it runs here or is about to. */
  abort(key: TaskKey, reason: TaskAbortReason): void {
    this.byKey.get(key)?.abort(reason);
    for (const claim of this.claims.get(key) ?? []) claim.aborted = reason;
  }

  /** The attempts of this node, including aborted ones that have not ended. */
  get all(): readonly TaskAttempt[] {
    return [...this.byKey.values(), ...this.outrun];
  }

  /** The attempt of a task, if it runs here. */
  get(key: TaskKey): TaskAttempt | undefined {
    return this.byKey.get(key);
  }

  /** Tells every attempt to stop, for a reason that has come over all of them. */
  abortAll(reason: TaskAbortReason): void {
    for (const attempt of this.all) attempt.abort(reason);
  }

  /**
   * Ends everything that runs. Attempts that no other node can continue have `drainMs` to end by themselves; then they
   * are aborted. All others are aborted at once. Bodies have `graceMs` after that; shutdown does not wait for
   * abandoned bodies.
   */
  async shutdown({ drainMs, graceMs }: { readonly drainMs: number; readonly graceMs: number }): Promise<void> {
    this.isShutDown = true;
    for (const attempt of this.all) if (attempt.canBeHandedOver || drainMs === 0) attempt.abort('shutdown');
    await this.over(({ signal }) => !signal.aborted, drainMs);
    this.abortAll('shutdown');
    await this.over(() => true, graceMs);
    await Promise.all(this.all.map((attempt) => this.giveUp(attempt)));
    this.expiry.close();
  }

  /** Waits until all the attempts that `concerns` have ended, but not longer than `ms`. */
  private async over(concerns: (attempt: TaskAttempt) => boolean, ms: number): Promise<void> {
    const awaited = this.all.filter(concerns).map((attempt) => this.guardOf(attempt).over);
    if (awaited.length > 0) await within(this.parts.clock, ms, Promise.all(awaited));
  }

  private async giveUp(attempt: TaskAttempt): Promise<void> {
    attempt.close();
    this.guards.get(attempt)?.stop();
    await attempt.release().catch(() => undefined);
  }

  private guardOf(attempt: TaskAttempt): SlotGuard {
    const guard = this.guards.get(attempt) ?? new SlotGuard(attempt, this.parts);
    this.guards.set(attempt, guard);
    return guard;
  }

  private *deadlines(): Iterable<readonly [TaskKey, number | null]> {
    for (const { key, expiresAt } of this.all) yield [key, expiresAt];
  }

  /** Aborts what runs of a task, if its time is over: the deadline may be that of an attempt that has ended. */
  private expire(task: TaskKey): void {
    const now = this.parts.clock.elapsed();
    for (const attempt of [this.byKey.get(task), ...this.outrun])
      if (attempt?.key === task && attempt.expiresAt !== null && attempt.expiresAt < now) attempt.abort('expired');
  }
}

/** Counts writes under way that may begin something on this node: what they begin has to be known before the node ends. */
export class InFlight {
  private count = 0;
  private waiting: (() => void)[] = [];

  get size(): number {
    return this.count;
  }

  /** A write begins; whoever calls it calls `end` once it has settled. */
  begin(): void {
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    if (this.count > 0) return;
    const told = this.waiting;
    this.waiting = [];
    for (const tell of told) tell();
  }

  /** Resolves once nothing is under way. */
  settled(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }
}
