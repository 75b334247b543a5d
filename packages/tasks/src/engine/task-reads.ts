import { Inject, Injectable } from '@nestjs/common';
import type { MaybePromise } from '@mocapi/core/extension';
import type { TaskView } from '../record/task-record.js';
import { Clock } from '../store/clock.js';
import { InMemoryTaskStore } from '../store/in-memory-task-store.js';
import type { TaskKey } from '../store/task-key.js';
import { TaskStore } from '../store/task-store.js';

interface Read {
  readonly view: Promise<TaskView | undefined>;
  /** By the clock's `elapsed`; Infinity while the store is being asked. */
  doneAt: number;
}

/** How long a read answers further polls, in milliseconds. */
const FRESH_MS = 25;

/**
 * Reads for `tasks/get`: however many clients poll a task on this node at the same time, the store is read once, and
 * not again within 25 ms. A write of this node is visible at once, and a missing task is never cached. An in-memory
 * store is read directly.
 */
@Injectable()
export class TaskReads {
  private readonly reads = new Map<TaskKey, Read>();

  constructor(
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** The task without its ledger; at once from a store in memory. */
  get(key: TaskKey): MaybePromise<TaskView | undefined> {
    if (this.store instanceof InMemoryTaskStore) return this.store.peek(key);
    const known = this.reads.get(key);
    if (known && this.clock.elapsed() < known.doneAt + FRESH_MS) return known.view;
    return this.read(key);
  }

  /** Discards the cached read of a task that this node has written. */
  forget(key: TaskKey): void {
    this.reads.delete(key);
  }

  private read(key: TaskKey): Promise<TaskView | undefined> {
    const read: Read = { view: this.store.view(key), doneAt: Infinity };
    this.reads.set(key, read);
    const keep = (view: TaskView | undefined): void => {
      if (view === undefined) this.end(key, read);
      else this.keepFresh(key, read);
    };
    read.view.then(keep, () => this.end(key, read));
    return read.view;
  }

  private keepFresh(key: TaskKey, read: Read): void {
    read.doneAt = this.clock.elapsed();
    this.clock.setTimer(() => this.end(key, read), FRESH_MS);
  }

  private end(key: TaskKey, read: Read): void {
    if (this.reads.get(key) === read) this.reads.delete(key);
  }
}
