import type { RunClaim } from '../record/task-record.js';
import type { TaskExecutor, TaskReservation, TaskSlot } from './task-executor.js';

/**
 * A slot that is taken before a claim is written, so that the record says from its first moment whether the body
 * waits. The claimant gives it back if the run is not its own.
 */
export class EarlySlot {
  private slot: TaskSlot | undefined;
  private readonly waiting: boolean;
  private hasBegun = false;

  /** @throws TaskExecutorFullError when the reservation is bound by limits and there is no room */
  constructor(
    private readonly executor: TaskExecutor,
    private readonly reservation: TaskReservation,
  ) {
    this.slot = executor.reserve(reservation);
    this.waiting = !this.slot.isReady;
    if (this.waiting) void this.slot.ready.then(() => (this.hasBegun = true));
  }

  /** The claim, which says whether the body waits. */
  marked(claim: RunClaim): RunClaim {
    return this.waiting ? { ...claim, waiting: true } : claim;
  }

  /**
   * The slot, which is the caller's from now on; another one if it was given back. One that still waits moves to the lane of `account`, which nobody knew
   * before the claim.
   */
  take(account: string): TaskSlot {
    if (this.waiting && !this.hasBegun && this.reservation.account !== account) this.giveBack();
    const slot = this.slot ?? this.executor.reserve({ account, resumed: true });
    this.slot = undefined;
    return slot;
  }

  /** Gives it back, unless it was taken. Harmless when called again. */
  giveBack(): void {
    this.slot?.release();
    this.slot = undefined;
  }
}
