import { TaskChangeFeed, type TaskChangeListener, type TaskKey, type Unwatch } from '@mocapi/tasks';
import type { NodeStoreParts } from './node-store-parts.js';

/** The change feed as one node has it. */
export class NodeChangeFeed extends TaskChangeFeed {
  private readonly watches = new Set<Unwatch>();

  constructor(private readonly parts: NodeStoreParts) {
    super();
  }

  /** Watches that were begun and not ended. */
  get size(): number {
    return this.watches.size;
  }

  watch(key: TaskKey, listener: TaskChangeListener): Unwatch {
    const { link, server } = this.parts;
    const unwatch = server.store.changeFeed.watch(key, (version) => link.hint('a change', () => listener(version)));
    this.watches.add(unwatch);
    return () => {
      this.watches.delete(unwatch);
      unwatch();
    };
  }

  /** What the server does when the node's connection is gone. */
  close(): void {
    for (const unwatch of this.watches) unwatch();
  }
}
