import type { TaskKey } from '../store/task-key.js';
import type { TaskRunIndex } from '../store/task-run-index.js';

/** A task that is registered in the run index under a session of this node. */
export interface RunEntry {
  /** The owner to claim the task by. */
  readonly session: string;
  /** Removes it, unless somebody else on this node entered the task as well. Harmless after either. */
  leave(): void;
  /** Is done with it, but lets it stand: for the others to find when the session is dead. Harmless after either. */
  abandon(): void;
}

/** Entries of this node in the run index. A task is registered once for each user of it, and removed with the last one. */
export class RunEntries {
  private readonly sessions = new Map<string, SessionEntries>();

  constructor(private readonly index: TaskRunIndex | undefined) {}

  /** Enters a task. Once it has resolved, a claim may be written. */
  async enter(session: string, key: TaskKey): Promise<RunEntry> {
    const { index } = this;
    if (!index) return { session, leave: () => undefined, abandon: () => undefined };
    const entries = this.sessions.get(session) ?? new SessionEntries(session, index);
    this.sessions.set(session, entries);
    const entry = new IndexedEntry(entries, key);
    try {
      await index.markRunning(session, key);
    } catch (error) {
      entry.leave();
      throw error;
    }
    return entry;
  }

  /**
   * Makes the index agree with the entries under `own`, the node's session, and removes those of its former sessions.
   */
  async reconcile(own: string): Promise<void> {
    for (const [session, entries] of this.sessions) {
      if (session !== own && entries.isDone) this.sessions.delete(session);
    }
    await this.sessions.get(own)?.reconcile();
  }
}

/** One user of a task under a session. */
class IndexedEntry implements RunEntry {
  readonly session: string;
  private isEnded = false;

  constructor(
    private readonly entries: SessionEntries,
    private readonly key: TaskKey,
  ) {
    this.session = entries.session;
    entries.add(key);
  }

  leave(): void {
    if (!this.isEnded && this.entries.remove(this.key)) void this.entries.unmark(this.key);
    this.isEnded = true;
  }

  abandon(): void {
    if (!this.isEnded) this.entries.remove(this.key);
    this.isEnded = true;
  }
}

/** Entries under one session. */
class SessionEntries {
  private readonly counts = new Map<TaskKey, number>();
  /** Left, and perhaps still in the index. */
  private readonly unremoved = new Set<TaskKey>();

  constructor(
    readonly session: string,
    private readonly index: TaskRunIndex,
  ) {}

  /** Nothing is entered any more. */
  get isDone(): boolean {
    return this.counts.size === 0;
  }

  add(key: TaskKey): void {
    this.unremoved.delete(key);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Counts one less; says whether it was the last. */
  remove(key: TaskKey): boolean {
    const left = (this.counts.get(key) ?? 1) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
    return left === 0;
  }

  /**
   * Removes a task from the index; nobody waits for it. An entry that remains is passed over by every node that looks
   * at it, and is removed later.
   */
  async unmark(key: TaskKey): Promise<void> {
    this.unremoved.add(key);
    try {
      await this.index.unmark(this.session, key);
      this.unremoved.delete(key);
    } catch {
      // Later, by reconciling.
    }
  }

  async reconcile(): Promise<void> {
    await Promise.all([...this.counts.keys()].map((key) => this.index.markRunning(this.session, key)));
    await Promise.all([...this.unremoved].map((key) => this.unmark(key)));
  }
}
