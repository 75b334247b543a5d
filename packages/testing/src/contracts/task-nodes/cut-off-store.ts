import {
  TaskChangeFeed,
  TaskRunIndex,
  TaskStore,
  type RunSession,
  type RunToken,
  type TaskChangeListener,
  type TaskDraft,
  type TaskKey,
  type TaskMutation,
  type TaskRecord,
  type TaskRunListener,
  type TaskView,
  type Unwatch,
} from '@mocapi/tasks';

/** The line from one node to its store, which can be cut: from then on calls and replies wait until it is restored. */
export class Line {
  private restored: Promise<void> | undefined;
  private resolveRestored: () => void = () => undefined;

  /** From now on nothing gets through, as if the node stood still. */
  cut(): void {
    this.restored ??= new Promise((resolve) => (this.resolveRestored = resolve));
  }

  /** Restores the line; the waiting operations continue. */
  restore(): void {
    this.restored = undefined;
    this.resolveRestored();
  }

  /** Runs `ask` and returns its answer, each only while the line is whole. */
  async through<T>(ask: () => Promise<T>): Promise<T> {
    await this.whole();
    try {
      return await ask();
    } finally {
      await this.whole();
    }
  }

  private async whole(): Promise<void> {
    for (let cut = this.restored; cut; cut = this.restored) await cut;
  }

  /** Passes a hint on, or drops it while the line is cut: nobody waits for a hint. */
  hint(tell: () => void): void {
    if (!this.restored) tell();
  }
}

/** A store as one node sees it: through its own line. */
export class CutOffStore extends TaskStore {
  readonly line = new Line();
  override readonly runIndex?: TaskRunIndex;
  override readonly changeFeed?: TaskChangeFeed;

  constructor(private readonly store: TaskStore) {
    super();
    if (store.runIndex) this.runIndex = new CutOffRunIndex(store.runIndex, this.line);
    if (store.changeFeed) this.changeFeed = new CutOffFeed(store.changeFeed, this.line);
  }

  create(draft: TaskDraft): Promise<TaskRecord> {
    return this.line.through(() => this.store.create(draft));
  }

  get(key: TaskKey): Promise<TaskRecord | undefined> {
    return this.line.through(() => this.store.get(key));
  }

  override view(key: TaskKey): Promise<TaskView | undefined> {
    return this.line.through(() => this.store.view(key));
  }

  override recordEntry(key: TaskKey, token: RunToken, entry: TaskRecord['ledger'][number]): Promise<boolean> {
    return this.line.through(() => this.store.recordEntry(key, token, entry));
  }

  update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return this.line.through(() => this.store.update(key, mutate));
  }

  delete(key: TaskKey): Promise<void> {
    return this.line.through(() => this.store.delete(key));
  }
}

class CutOffFeed extends TaskChangeFeed {
  constructor(
    private readonly feed: TaskChangeFeed,
    private readonly line: Line,
  ) {
    super();
  }

  watch(key: TaskKey, listener: TaskChangeListener): Unwatch {
    return this.feed.watch(key, (version) => this.line.hint(() => listener(version)));
  }
}

class CutOffRunIndex extends TaskRunIndex {
  constructor(
    private readonly index: TaskRunIndex,
    private readonly line: Line,
  ) {
    super();
  }

  join(listener?: TaskRunListener): Promise<string> {
    const { line } = this;
    const cuttable = listener && {
      stopped: (key: TaskKey) => line.hint(() => listener.stopped(key)),
      orphaned: () => line.hint(() => listener.orphaned()),
    };
    return line.through(() => this.index.join(cuttable));
  }

  beat(session: string): Promise<boolean> {
    return this.line.through(() => this.index.beat(session));
  }

  leave(session: string): Promise<void> {
    return this.line.through(() => this.index.leave(session));
  }

  tellStopped(session: string, key: TaskKey): Promise<void> {
    return this.line.through(() => this.index.tellStopped(session, key));
  }

  markRunning(session: string, key: TaskKey): Promise<void> {
    return this.line.through(() => this.index.markRunning(session, key));
  }

  unmark(session: string, key: TaskKey): Promise<void> {
    return this.line.through(() => this.index.unmark(session, key));
  }

  sessions(): Promise<readonly RunSession[]> {
    return this.line.through(() => this.index.sessions());
  }

  bury(session: string, sign: string): Promise<boolean> {
    return this.line.through(() => this.index.bury(session, sign));
  }

  runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    return this.line.through(() => this.index.runningOf(session, limit));
  }

  drop(session: string): Promise<void> {
    return this.line.through(() => this.index.drop(session));
  }
}
