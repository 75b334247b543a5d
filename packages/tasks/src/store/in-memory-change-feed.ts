import { Logger } from '@nestjs/common';
import { TaskChangeFeed, type TaskChangeListener, type Unwatch } from './task-change-feed.js';
import type { TaskKey } from './task-key.js';

/** The change feed of a store that only this process writes to. */
export class InMemoryChangeFeed extends TaskChangeFeed {
  private readonly logger = new Logger(InMemoryChangeFeed.name);
  private readonly watches = new Map<TaskKey, Set<{ readonly listener: TaskChangeListener }>>();

  watch(key: TaskKey, listener: TaskChangeListener): Unwatch {
    // Wrapped, so that a function given twice is two watches.
    const watch = { listener };
    const watches = this.watches.get(key) ?? new Set();
    this.watches.set(key, watches.add(watch));
    return () => {
      // A set that was emptied is out of the map: a late second call must not take out its successor.
      if (watches.delete(watch) && watches.size === 0) this.watches.delete(key);
    };
  }

  /** Tells the watchers, after the current turn: a write never waits for them, nor fails with them. */
  announce(key: TaskKey, version: number): void {
    if (this.watches.has(key)) queueMicrotask(() => this.deliver(key, version));
  }

  private deliver(key: TaskKey, version: number): void {
    // A copy: a watch that a listener begins is not for this change.
    for (const { listener } of Array.from(this.watches.get(key) ?? [])) {
      try {
        listener(version);
      } catch (error) {
        this.logger.error('A task change listener threw', error);
      }
    }
  }
}
