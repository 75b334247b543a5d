import type { TaskKey } from '../store/task-key.js';
import { SlotGuard, type SlotGuardParts } from './slot-guard.js';
import type { TaskAbortReason, TaskAttempt } from './task-attempt.js';

/** A write that may begin an attempt; `aborted` once the attempt was told to stop before it began. */
export interface PendingClaim {
  aborted?: TaskAbortReason;
}

/**
 * The attempts that run on this node. An attempt is here from its claim until its execution has settled; after it was told to stop, its slot is
 * free again when the body ends or `abandonAfterMs` later, whichever is first, and a body that goes on is counted as a zombie.
 */
export class RunningAttempts {
  private readonly byKey = new Map<TaskKey, TaskAttempt>();
  private readonly guards = new Map<TaskAttempt, SlotGuard>();
  /** Claims whose write is under way: a cancel that comes meanwhile must not be lost. */
  private readonly claims = new Map<TaskKey, Set<PendingClaim>>();
  private isShutDown = false;

  constructor(private readonly parts: SlotGuardParts) {}

  get size(): number {
    return this.byKey.size;
  }

  /** Keeps `attempt` while `execution` lasts. `execution` must not reject. */
  add(attempt: TaskAttempt, execution: Promise<void>): void {
    const guard = new SlotGuard(attempt, this.parts);
    this.byKey.set(attempt.key, attempt);
    this.guards.set(attempt, guard);
    void execution.finally(() => {
      guard.bodyHasEnded();
      this.guards.delete(attempt);
      if (this.byKey.get(attempt.key) === attempt) this.byKey.delete(attempt.key);
    });
    if (this.isShutDown) attempt.abort('shutdown');
  }

  /** Keeps what the task's attempt is told while `claiming`, the write that begins it, is under way. */
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

  /** Tells every attempt to stop and waits for their bodies, but not longer than `graceMs`, and not for those that were given up on. */
  async shutdown(graceMs: number): Promise<void> {
    this.isShutDown = true;
    for (const attempt of this.guards.keys()) attempt.abort('shutdown');
    if (this.guards.size === 0) return;
    let cancel: () => void = () => undefined;
    const grace = new Promise<void>((resolve) => (cancel = this.parts.clock.setTimer(resolve, graceMs)));
    await Promise.race([Promise.all([...this.guards.values()].map(({ over }) => over)), grace]);
    cancel();
    for (const [attempt, guard] of this.guards) {
      attempt.close();
      guard.unwatch();
    }
  }
}
