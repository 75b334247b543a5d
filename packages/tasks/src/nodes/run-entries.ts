import { Logger } from '@nestjs/common';
import type { TaskKey } from '../store/task-key.js';
import type { TaskRunIndex } from '../store/task-run-index.js';

/** A task that stands in the run index under a session of this node. */
export interface RunEntry {
  /** The owner to claim the task by. */
  readonly session: string;
  /** Strikes it off, unless somebody else on this node entered it as well. Harmless after either. */
  leave(): void;
  /** Is done with it, but lets it stand: for the others to find when the session is dead. Harmless after either. */
  abandon(): void;
}

/** What this node has entered in the run index. A task is entered once for each who means to run it, and struck off with the last of them. */
export class RunEntries {
  private readonly logger = new Logger('McpTasks');
  private readonly counts = new Map<string, Map<TaskKey, number>>();

  constructor(private readonly index: TaskRunIndex | undefined) {}

  /** Enters a task. Once it has resolved, a claim may be written. */
  async enter(session: string, key: TaskKey): Promise<RunEntry> {
    this.count(session, key, 1);
    const entry = this.entry(session, key);
    try {
      await this.index?.markRunning(session, key);
    } catch (error) {
      entry.leave();
      throw error;
    }
    return entry;
  }

  /** Enters again what is entered under the sessions that `isOwn` tells. */
  async reenter(isOwn: (session: string) => boolean): Promise<void> {
    const { index } = this;
    if (!index) return;
    for (const [session, keys] of this.counts) {
      if (isOwn(session)) await Promise.all([...keys.keys()].map((key) => index.markRunning(session, key)));
    }
  }

  private entry(session: string, key: TaskKey): RunEntry {
    let isDone = false;
    const end = (strike: boolean): void => {
      if (isDone) return;
      isDone = true;
      if (this.count(session, key, -1) === 0 && strike) this.strike(session, key);
    };
    return { session, leave: () => end(true), abandon: () => end(false) };
  }

  private strike(session: string, key: TaskKey): void {
    // An entry that stays is passed over by whoever looks at it, so nobody waits for this.
    this.index?.unmark(session, key).catch((error: unknown) => this.logger.debug(`A task was not struck off: ${String(error)}`));
  }

  private count(session: string, key: TaskKey, change: 1 | -1): number {
    const keys = this.counts.get(session) ?? new Map<TaskKey, number>();
    const count = (keys.get(key) ?? 0) + change;
    if (count > 0) this.counts.set(session, keys.set(key, count));
    else if (keys.delete(key) && keys.size === 0) this.counts.delete(session);
    return count;
  }
}
