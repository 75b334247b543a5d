import { Logger } from '@nestjs/common';
import type { TaskExecutor } from '../executor/task-executor.js';
import type { Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskAbortReason, TaskAttempt } from './task-attempt.js';

/**
 * The attempts that run on this node. An attempt is here from its claim until its execution has settled; after it was told to stop, its slot is
 * free again when the body ends or `abandonAfterMs` later, whichever is first, and a body that goes on is counted as a zombie.
 */
export class RunningAttempts {
  private readonly logger = new Logger('McpTasks');
  private readonly byKey = new Map<TaskKey, TaskAttempt>();
  private readonly executions = new Set<Promise<void>>();

  constructor(private readonly parts: { readonly executor: TaskExecutor; readonly clock: Clock; readonly abandonAfterMs: number }) {}

  get size(): number {
    return this.byKey.size;
  }

  /** Keeps `attempt` while `execution` lasts. `execution` must not reject. */
  add(attempt: TaskAttempt, execution: Promise<void>): void {
    this.byKey.set(attempt.key, attempt);
    const ended = execution.finally(this.guardSlot(attempt)).finally(() => {
      if (this.byKey.get(attempt.key) === attempt) this.byKey.delete(attempt.key);
      this.executions.delete(ended);
    });
    this.executions.add(ended);
  }

  /** Tells the attempt of a task to stop, if it runs here. */
  abort(key: TaskKey, reason: TaskAbortReason): void {
    this.byKey.get(key)?.abort(reason);
  }

  /** Tells every attempt to stop and waits for their bodies, but not longer than `graceMs`. */
  async shutdown(graceMs: number): Promise<void> {
    for (const attempt of this.byKey.values()) attempt.abort('shutdown');
    if (this.executions.size === 0) return;
    let cancel: () => void = () => undefined;
    const grace = new Promise<void>((resolve) => (cancel = this.parts.clock.setTimer(resolve, graceMs)));
    await Promise.race([Promise.all(this.executions), grace]);
    cancel();
    for (const attempt of this.byKey.values()) attempt.close();
  }

  /** Frees the slot at the end of the body, or some time after the attempt was told to stop. Returns what to call at the end. */
  private guardSlot(attempt: TaskAttempt): () => void {
    const { executor, clock, abandonAfterMs } = this.parts;
    let cancelTimer: () => void = () => undefined;
    let uncount: () => void = () => undefined;
    const stopped = (): void => {
      cancelTimer = clock.setTimer(() => {
        this.logger.warn('A task body goes on after it was told to stop; its slot is given to others');
        uncount = executor.abandoned();
        attempt.slot.release();
      }, abandonAfterMs);
    };
    attempt.signal.addEventListener('abort', stopped, { once: true });
    return () => {
      attempt.signal.removeEventListener('abort', stopped);
      cancelTimer();
      uncount();
      attempt.slot.release();
    };
  }
}
