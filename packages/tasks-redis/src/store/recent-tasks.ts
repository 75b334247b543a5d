import { isAlive, type TaskKey } from '@mocapi/tasks';
import type { StoredTask } from './stored-task.js';

interface RecentTask {
  readonly task: StoredTask;
  /** When the write was sent, by the clock of this process: it was made no sooner. */
  readonly at: number;
}

/** Characters of documents that are kept. */
const MAX_SIZE = 8 * 2 ** 20;

/**
 * What this node wrote last of the tasks that it works on: mostly the next write starts from just that, and a reading is saved. Which is only a guess:
 * the write finds out. The longest unused go when there are too many.
 */
export class RecentTasks {
  private readonly tasks = new Map<TaskKey, RecentTask>();
  private size = 0;

  /**
   * @param now milliseconds that have passed since whenever
   * @param maxSize characters of documents to keep at most
   */
  constructor(
    readonly now: () => number = () => performance.now(),
    private readonly maxSize = MAX_SIZE,
  ) {}

  /** How many tasks are kept. */
  get count(): number {
    return this.tasks.size;
  }

  /** The task as this node wrote it; undefined if it did not, or if the task has expired since. */
  get(key: TaskKey): StoredTask | undefined {
    const recent = this.tasks.get(key);
    if (recent === undefined || this.mayLive(recent)) return recent?.task;
    this.forget(key);
    return undefined;
  }

  /**
   * Keeps a task while it is executed; of one that is not, the next writer is anybody.
   * @param sentAt when its write was sent, by `now`
   */
  note(key: TaskKey, task: StoredTask, sentAt: number): void {
    this.forget(key);
    if (task.record.run === undefined || task.size > this.maxSize) return;
    this.tasks.set(key, { task, at: sentAt });
    this.size += task.size;
    for (const [oldest, recent] of this.tasks) {
      if (this.size <= this.maxSize && this.mayLive(recent)) return;
      this.forget(oldest);
    }
  }

  forget(key: TaskKey): void {
    const known = this.tasks.get(key);
    if (known === undefined) return;
    this.tasks.delete(key);
    this.size -= known.task.size;
  }

  // By the time of Redis at the writing and what has passed since: the clocks need not agree.
  private mayLive({ task: { record }, at }: RecentTask): boolean {
    return isAlive(record, record.lastUpdatedAt + this.now() - at);
  }
}
