import { TaskExecutor, TaskExecutorFullError, type TaskExecutorLoad, type TaskSlot } from './task-executor.js';

/** Bounds of an executor. */
export interface InProcessTaskExecutorOptions {
  readonly maxRunning: number;
  readonly maxQueued: number;
}

/** What a refused caller is told to wait. */
const RETRY_AFTER_MS = 1000;

/**
 * Runs attempts in this process: up to `maxRunning` at once, the rest in the order they came.
 * A slot is waiting, running or gone. It waits in `queue`; leaves it for `running` when a place is free; and is gone once released, whichever it was.
 */
export class InProcessTaskExecutor extends TaskExecutor {
  /** Insertion order is the order of the queue; a Set, so that leaving it from the middle costs nothing. */
  private readonly queue = new Set<() => void>();
  private running = 0;
  private zombies = 0;

  constructor(private readonly options: InProcessTaskExecutorOptions) {
    super();
  }

  override reserve({ resumed = false }: { readonly resumed?: boolean } = {}): TaskSlot {
    if (this.running < this.options.maxRunning) {
      this.running += 1;
      return { ready: Promise.resolve(), isReady: true, release: this.once(() => this.give()) };
    }
    if (!resumed && this.queue.size >= this.options.maxQueued) throw new TaskExecutorFullError(RETRY_AFTER_MS);
    return this.enqueue();
  }

  override load(): TaskExecutorLoad {
    return { running: this.running, queued: this.queue.size, zombies: this.zombies };
  }

  override get free(): number {
    return this.options.maxRunning - this.running;
  }

  override abandoned(): () => void {
    this.zombies += 1;
    return this.once(() => (this.zombies -= 1));
  }

  private enqueue(): TaskSlot {
    let begin!: () => void;
    const ready = new Promise<void>((resolve) => (begin = resolve));
    this.queue.add(begin);
    const release = this.once(() => {
      if (!this.queue.delete(begin)) this.give();
    });
    return { ready, isReady: false, release };
  }

  private give(): void {
    const [next] = this.queue;
    if (!next) {
      this.running -= 1;
      return;
    }
    this.queue.delete(next);
    next();
  }

  private once(act: () => void): () => void {
    let done = false;
    return () => {
      if (done) return;
      done = true;
      act();
    };
  }
}
