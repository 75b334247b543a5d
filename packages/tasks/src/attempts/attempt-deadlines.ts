import type { CancelTimer, Clock } from '../store/clock.js';
import { DeadlineHeap } from '../store/deadline-heap.js';

interface Watch {
  /** Undefined once the watch has ended. */
  expire: (() => void) | undefined;
}

/** So many ended watches the heap may hold, beyond as many as go on, before it is rebuilt. */
const SLACK = 64;

/** Tells attempts that their tasks have expired, with one timer for all of them. */
export class AttemptDeadlines {
  private readonly heap = new DeadlineHeap<Watch>();
  private readonly going = new Map<Watch, number>();
  private timer: { readonly at: number; readonly cancel: CancelTimer } | undefined;

  constructor(private readonly clock: Clock) {}

  /** Calls `expire` once more than `lifeMs` milliseconds have passed, however long that is. @returns what ends it; harmless when called again */
  watch(lifeMs: number, expire: () => void): () => void {
    const watch: Watch = { expire };
    // The first instant at which the task lives no more.
    const at = this.clock.elapsed() + lifeMs + 1;
    this.going.set(watch, at);
    this.heap.push(watch, at);
    this.schedule();
    return () => {
      watch.expire = undefined;
      if (!this.going.delete(watch)) return;
      if (this.going.size === 0) this.heap.clear();
      else if (this.heap.size > 2 * this.going.size + SLACK) this.rebuild();
      this.schedule();
    };
  }

  private rebuild(): void {
    this.heap.clear();
    for (const [watch, at] of this.going) this.heap.push(watch, at);
  }

  private schedule(): void {
    const { earliest } = this.heap;
    if (this.timer !== undefined && earliest !== undefined && this.timer.at <= earliest) return;
    this.timer?.cancel();
    this.timer = undefined;
    if (earliest === undefined) return;
    const cancel = this.clock.setTimer(() => this.wake(), Math.max(0, earliest - this.clock.elapsed()));
    this.timer = { at: earliest, cancel };
  }

  private wake(): void {
    this.timer = undefined;
    const now = this.clock.elapsed();
    while (this.heap.earliest !== undefined && this.heap.earliest <= now) {
      const watch = this.heap.pop()!;
      this.going.delete(watch);
      watch.expire?.();
    }
    // What is left in the heap may have ended.
    if (this.going.size === 0) this.heap.clear();
    this.schedule();
  }
}
