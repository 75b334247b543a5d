import { Logger } from '@nestjs/common';
import type { TaskExecutor } from '../executor/task-executor.js';
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

const TOO_MANY =
  'so many others do too that it keeps its slot, and new tasks are rejected. Make the bodies stop on ctx.signal (limits.maxAbandoned, limits.maxAbandonedPerPrincipal)';

/**
 * Frees the slot of one attempt: when its body has ended, or some time after the attempt was aborted, when the body is
 * abandoned.
 */
export class SlotGuard {
  private readonly logger = new Logger('McpTasks');
  private readonly stopped = (): void => {
    this.cancelTimer = this.parts.clock.setTimer(() => this.abandon(), this.parts.abandonAfterMs);
  };
  private cancelTimer?: CancelTimer;
  private uncount?: () => void;
  private settle!: () => void;

  /** Resolves when nobody waits for the body any more: it has ended, or was given up on. */
  readonly over = new Promise<void>((resolve) => (this.settle = resolve));

  constructor(
    private readonly attempt: TaskAttempt,
    private readonly parts: SlotGuardParts,
  ) {
    if (attempt.signal.aborted) this.stopped();
    else attempt.signal.addEventListener('abort', this.stopped, { once: true });
  }

  bodyHasEnded(): void {
    this.unwatch();
    this.uncount?.();
    this.free();
  }

  /** Takes its timer and listener away. */
  unwatch(): void {
    this.attempt.signal.removeEventListener('abort', this.stopped);
    this.cancelTimer?.();
  }

  private abandon(): void {
    this.uncount = this.parts.executor.abandoned(this.attempt.account);
    this.logger.warn(`A task body still runs after it was aborted; ${this.uncount ? 'its slot goes to other tasks' : TOO_MANY}`);
    if (this.uncount) this.free();
    else this.settle();
  }

  private free(): void {
    this.attempt.slot.release();
    this.settle();
    this.parts.placeFreed?.();
  }
}
