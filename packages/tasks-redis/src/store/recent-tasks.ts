import { isAlive, type TaskKey } from '@mocapi/tasks';
import { ledgerOf } from './ledger-log.js';
import type { StoredTask } from './stored-task.js';
import type { WrittenEntry } from './stored-tasks.js';
import { frozenEntry } from './task-text.js';

interface RecentTask {
  task: StoredTask;
  /** Written behind `task`, in order. */
  entries: WrittenEntry[];
  size: number;
  /** A moment: when a write was sent, by the clock of this process, and when Redis made it, which was no sooner. */
  readonly moment: { readonly here: number; readonly there: number };
}

/** Bytes of tasks that are kept. */
const MAX_SIZE = 8 * 2 ** 20;

/**
 * Latest writes of this node to the tasks that it works on: mostly the next write starts from one of them, which saves a
 * read. Which is only a guess: the write finds out. The longest unused go when there are too many.
 */
export class RecentTasks {
  private readonly tasks = new Map<TaskKey, RecentTask>();
  private size = 0;

  /**
   * @param now milliseconds that have passed since whenever
   * @param maxSize bytes of tasks to keep at most
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
    if (recent === undefined) return undefined;
    if (this.mayLive(recent)) return wholeOf(recent);
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
    this.tasks.set(key, { task, entries: [], size: task.size, moment: { here: sentAt, there: task.record.lastUpdatedAt } });
    this.grow(task.size);
  }

  /** Keeps an entry behind its task, which is put together when somebody asks for it: a step costs no more when there are many. */
  noteEntry(key: TaskKey, entry: WrittenEntry): void {
    const recent = this.tasks.get(key);
    if (recent === undefined) return;
    const version = (recent.entries.at(-1) ?? recent.task.record).version;
    // Somebody else wrote between the two.
    if (entry.version !== version + 1) return this.forget(key);
    recent.entries.push(entry);
    recent.size += entry.size;
    this.tasks.delete(key);
    this.tasks.set(key, recent);
    this.grow(entry.size);
  }

  forget(key: TaskKey): void {
    const known = this.tasks.get(key);
    if (known === undefined) return;
    this.tasks.delete(key);
    this.size -= known.size;
  }

  private grow(bytes: number): void {
    this.size += bytes;
    for (const [oldest, recent] of this.tasks) {
      if (this.size <= this.maxSize && this.mayLive(recent)) return;
      this.forget(oldest);
    }
  }

  // By the time of Redis at the writing and what has passed since: the clocks need not agree.
  private mayLive({ task, moment }: RecentTask): boolean {
    return isAlive(task.record, moment.there + this.now() - moment.here);
  }
}

/** The task with the entries that were written behind it. */
function wholeOf(recent: RecentTask): StoredTask {
  const { task, entries } = recent;
  const last = entries.at(-1);
  if (last === undefined) return task;
  const ledger = ledgerOf([...task.record.ledger, ...entries.map(({ json }) => frozenEntry(JSON.parse(json) as object))]);
  const record = Object.freeze({ ...task.record, ledger, version: last.version, lastUpdatedAt: last.lastUpdatedAt });
  // In place of its parts: they are put together once.
  recent.task = { ...task, record, op: last.op, size: recent.size };
  recent.entries = [];
  return recent.task;
}
