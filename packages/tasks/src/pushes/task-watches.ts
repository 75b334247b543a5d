import { Inject, Injectable, Logger } from '@nestjs/common';
import { type CancelTimer, Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import { TaskStore } from '../store/task-store.js';
import { type TaskStateListener, WatchedTask } from './watched-task.js';

/** Between two readings of everything watched: hints may be missed. Each time another fifth more or less, so that nodes don't fall into step. */
const RECONCILE_MS = 10_000;
const JITTER = 0.2;

/** Which tasks the streams of this process watch. Without a watch it costs nothing: no timer, and no watch of the store's change feed. */
@Injectable()
export class TaskWatches {
  private readonly logger = new Logger('McpTasks');
  private readonly tasks = new Map<TaskKey, WatchedTask>();
  private stopReconciling: CancelTimer | undefined;

  constructor(
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** How many tasks are watched. */
  get size(): number {
    return this.tasks.size;
  }

  /**
   * Watches a task that exists and is the caller's: `listener` gets its state, read after the watch has begun, and
   * every later one.
   * @param watch `from` is the version that was read before; the listener gets no older one
   * @returns a function that ends the watch; harmless when called again
   */
  watch(key: TaskKey, { from, listener }: { readonly from: number; readonly listener: TaskStateListener }): () => void {
    const task = this.tasks.get(key) ?? this.begin(key);
    const leave = task.add(listener, from);
    return () => {
      leave();
      if (!task.isWatched && this.tasks.get(key) === task) this.end(key, task);
    };
  }

  private begin(key: TaskKey): WatchedTask {
    const failed = (error: unknown): void => this.logger.warn(`A watched task could not be read: ${String(error)}`);
    const task = new WatchedTask({ key, store: this.store, failed });
    this.tasks.set(key, task);
    this.stopReconciling ??= this.reconcileLater();
    return task;
  }

  private end(key: TaskKey, task: WatchedTask): void {
    task.close();
    this.tasks.delete(key);
    if (this.tasks.size > 0) return;
    this.stopReconciling?.();
    this.stopReconciling = undefined;
  }

  private reconcileLater(): CancelTimer {
    const delay = RECONCILE_MS * (1 - JITTER + 2 * JITTER * Math.random());
    return this.clock.setTimer(() => {
      this.stopReconciling = this.reconcileLater();
      for (const task of this.tasks.values()) task.refresh();
    }, delay);
  }
}
