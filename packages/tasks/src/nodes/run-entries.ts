import type { MaybePromise } from '@mocapi/core/extension';
import { InMemoryRunIndex } from '../store/in-memory-run-index.js';
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

  /** Enters a task. Once it is there, a claim may be written. */
  enter(session: string, key: TaskKey): MaybePromise<RunEntry> {
    const { index } = this;
    if (!index) return { session, leave: () => undefined, abandon: () => undefined };
    let entries = this.sessions.get(session);
    if (entries === undefined) this.sessions.set(session, (entries = new SessionEntries(session, index)));
    const entry = new IndexedEntry(entries, key);
    if (index instanceof InMemoryRunIndex && index.mark(session, key)) return entry;
    return this.marked(entry, () => index.markRunning(session, key));
  }

  private async marked(entry: RunEntry, mark: () => Promise<void>): Promise<RunEntry> {
    try {
      await mark();
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
  /** It is let stand in the index. */
  private stands = false;

  constructor(
    private readonly entries: SessionEntries,
    private readonly key: TaskKey,
  ) {
    const { counts, unremoved } = entries;
    this.session = entries.session;
    unremoved.delete(key);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  leave(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const { counts, index, session } = this.entries;
    const left = counts.get(this.key)! - 1;
    if (left > 0) counts.set(this.key, left);
    else counts.delete(this.key);
    if (left > 0 || this.stands) return;
    if (!(index instanceof InMemoryRunIndex && index.erase(session, this.key))) void this.entries.unmark(this.key);
  }

  abandon(): void {
    this.stands = true;
    this.leave();
  }
}

/** Entries under one session. */
class SessionEntries {
  /** How many use each task. */
  readonly counts = new Map<TaskKey, number>();
  /** Left, and perhaps still in the index. */
  readonly unremoved = new Set<TaskKey>();

  constructor(
    readonly session: string,
    readonly index: TaskRunIndex,
  ) {}

  /** Nothing is entered any more. */
  get isDone(): boolean {
    return this.counts.size === 0;
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
