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
 * Watches over the slot of one attempt that should end: some time after it was aborted the body is abandoned, and its
 * slot is free though it still runs.
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
  ) {}

  /** Resolves when nobody waits for the body any more: it has ended, or was given up on. */
  get over(): Promise<void> {
    return (this.settled ??= this.isSettled ? Promise.resolve() : new Promise((resolve) => (this.whenSettled = resolve)));
  }

  /** The attempt was aborted: its body has `abandonAfterMs` to end. */
  start(): void {
    this.cancelTimer = this.parts.clock.setTimer(() => this.abandon(), this.parts.abandonAfterMs);
  }

  bodyHasEnded(): void {
    this.stop();
    this.uncount?.();
    this.settle();
  }

  /** Takes its timer away. */
  stop(): void {
    this.cancelTimer?.();
  }

  private abandon(): void {
    this.uncount = this.parts.executor.abandoned(this.attempt.account);
    logger.warn(`A task body still runs after it was aborted; ${this.uncount ? 'its slot goes to other tasks' : TOO_MANY}`);
    if (this.uncount) this.attempt.releaseSlot();
    this.settle();
    if (this.uncount) this.parts.placeFreed?.();
  }

  /** Nobody waits for the body any more. */
  private settle(): void {
    this.isSettled = true;
    this.whenSettled?.();
  }
}
