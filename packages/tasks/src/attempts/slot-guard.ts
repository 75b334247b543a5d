import { Logger } from '@nestjs/common';
import type { TaskExecutor } from '../slots/task-executor.js';
import type { CancelTimer, Clock } from '../store/clock.js';
import type { TaskAttempt } from './task-attempt.js';

/** Parts of the guard over slots. */
export interface SlotGuardParts {
  readonly executor: TaskExecutor;
  readonly clock: Clock;
  /** How long a body keeps its slot after its attempt was aborted. */
  readonly abandonAfterMs: number;
  /** Called when a slot was given back. */
  placeFreed?(): void;
}

const logger = new Logger('McpTasks');

const TOO_MANY =
  'so many others do too that it keeps its slot, and new tasks are rejected. Make the bodies stop on ctx.signal (limits.maxAbandoned, limits.maxAbandonedPerPrincipal)';

/**
 * Frees the slot of one attempt: when its body has ended, or some time after the attempt was aborted, when the body is
 * abandoned.
 */
export class SlotGuard {
  private cancelTimer: CancelTimer | undefined;
  private uncount: (() => void) | undefined;
  private isSettled = false;
  private whenSettled: (() => void) | undefined;
  private settled: Promise<void> | undefined;

  constructor(
    private readonly attempt: TaskAttempt,
    private readonly parts: SlotGuardParts,
  ) {
    if (attempt.signal.aborted) this.aborted();
    else attempt.signal.addEventListener('abort', this.aborted);
  }

  private readonly aborted = (): void => {
    this.cancelTimer = this.parts.clock.setTimer(() => this.abandon(), this.parts.abandonAfterMs);
  };

  /** Resolves when nobody waits for the body any more: it has ended, or was given up on. */
  get over(): Promise<void> {
    return (this.settled ??= this.isSettled ? Promise.resolve() : new Promise((resolve) => (this.whenSettled = resolve)));
  }

  bodyHasEnded(): void {
    this.unwatch();
    this.uncount?.();
    this.settle(true);
  }

  /** Takes its timer and listener away. */
  unwatch(): void {
    this.attempt.signal.removeEventListener('abort', this.aborted);
    this.cancelTimer?.();
  }

  private abandon(): void {
    this.uncount = this.parts.executor.abandoned(this.attempt.account);
    logger.warn(`A task body still runs after it was aborted; ${this.uncount ? 'its slot goes to other tasks' : TOO_MANY}`);
    this.settle(this.uncount !== undefined);
  }

  /** Nobody waits for the body any more. @param isFree whether its slot goes to others */
  private settle(isFree: boolean): void {
    if (isFree) this.attempt.slot.release();
    this.isSettled = true;
    this.whenSettled?.();
    if (isFree) this.parts.placeFreed?.();
  }
}
