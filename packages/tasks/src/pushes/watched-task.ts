import type { TaskView } from '../record/task-record.js';
import type { Unwatch } from '../store/task-change-feed.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';

/** Called with the state of a task whenever it changes; with undefined once the task is gone. */
export type TaskStateListener = (record: TaskView | undefined) => void;

/** Parts of a watched task. */
export interface WatchedTaskParts {
  readonly key: TaskKey;
  readonly store: TaskStore;
  /** Called with the reason why the store could not be read. The next notification, or the next regular check, reads again. */
  readonly failed: (error: unknown) => void;
}

/** Known state of a task: its version, and when the store made it. */
interface Known {
  readonly version: number;
  readonly at: number;
}

interface Watch {
  readonly listener: TaskStateListener;
  /** The newest state that the listener knows; it never gets that or an older one. */
  known: Known;
  /** The last state that the listener got. */
  told?: TaskView | undefined;
}

/**
 * Whether `record` is newer than the known state. A copy of the store that lags behind must not take a stream back in
 * time. A store that lost its last writes counts versions again from an older one, but at a later time.
 */
function isNews({ version, lastUpdatedAt }: TaskView, known: Known): boolean {
  return version > known.version || lastUpdatedAt > known.at;
}

/** A task that streams of this process watch. It is read once for all of them, and never twice at the same time. */
export class WatchedTask {
  private readonly watches = new Set<Watch>();
  private readonly unwatch: Unwatch | undefined;
  private newest: Known = { version: 0, at: -Infinity };
  private reading = false;
  private isStale = false;

  constructor(private readonly parts: WatchedTaskParts) {
    this.unwatch = parts.store.changeFeed?.watch(parts.key, (version) => {
      if (version > this.newest.version) this.refresh();
    });
  }

  get isWatched(): boolean {
    return this.watches.size > 0;
  }

  /** Tells `listener` the state, from version `from` on, as soon as it is read, and every one after it. @returns what ends it */
  add(listener: TaskStateListener, from: number): () => void {
    const watch: Watch = { listener, known: { version: from - 1, at: Infinity } };
    this.watches.add(watch);
    this.refresh();
    return () => void this.watches.delete(watch);
  }

  /**
   * Reads the store. If it is called during a read, another read follows: a later request must not be answered by an
   * earlier read.
   */
  refresh(): void {
    this.isStale = true;
    if (!this.reading) void this.read();
  }

  /** Hears nothing more. */
  close(): void {
    this.watches.clear();
    this.unwatch?.();
  }

  private async read(): Promise<void> {
    this.reading = true;
    while (this.isStale && this.isWatched) {
      this.isStale = false;
      try {
        this.tell(await this.parts.store.view(this.parts.key));
      } catch (error) {
        this.parts.failed(error);
      }
    }
    this.reading = false;
  }

  private tell(record: TaskView | undefined): void {
    const known = record && { version: record.version, at: record.lastUpdatedAt };
    if (record && isNews(record, this.newest)) this.newest = known!;
    for (const watch of this.watches) {
      if (record && !isNews(record, watch.known)) continue;
      watch.known = known ?? watch.known;
      if (record && watch.told && looksAlike(record, watch.told)) continue;
      watch.told = record;
      watch.listener(record);
    }
  }
}

/** Members that a client sees, without `lastUpdatedAt`: that alone is no news. */
const VISIBLE = ['status', 'statusMessage', 'createdAt', 'ttlMs', 'pollIntervalMs', 'inputRequests', 'result', 'error'] as const;

/** Whether a client sees the same in both states of a task, apart from when it was updated: a step, or another node that runs it, changes nothing else. */
function looksAlike(one: TaskView, other: TaskView): boolean {
  return VISIBLE.every((name) => one[name] === other[name] || JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
