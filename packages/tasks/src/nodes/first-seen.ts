import type { Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';

/** Since when tasks are known to wait. Those that nobody asks about any more are forgotten with time: they went to another node. */
export class FirstSeen {
  /** In the order in which they came, hence the oldest first. */
  private readonly since = new Map<TaskKey, number>();

  /** @param keepMs how long a task is remembered, in milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly keepMs: number,
  ) {}

  /** How many tasks are remembered. */
  get size(): number {
    return this.since.size;
  }

  /** Milliseconds since the task was noted first; 0 if it was not. */
  ageMs(key: TaskKey): number {
    const now = this.clock.elapsed();
    return now - (this.since.get(key) ?? now);
  }

  note(key: TaskKey): void {
    const now = this.clock.elapsed();
    for (const [old, since] of this.since) {
      if (now - since <= this.keepMs) break;
      this.since.delete(old);
    }
    if (!this.since.has(key)) this.since.set(key, now);
  }

  forget(key: TaskKey): void {
    this.since.delete(key);
  }
}
