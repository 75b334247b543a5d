import {
  type Clock,
  InMemoryTaskStore,
  type RunSession,
  type TaskKey,
  TaskRunIndex,
  type TaskRunListener,
  type TaskStore,
} from '@mocapi/tasks';

/** The run index of a store in memory, as it is. */
class RunIndex extends TaskRunIndex {
  constructor(protected readonly inner: TaskRunIndex) {
    super();
  }

  join(listener?: TaskRunListener): Promise<string> {
    return this.inner.join(listener);
  }

  beat(session: string): Promise<boolean> {
    return this.inner.beat(session);
  }

  leave(session: string): Promise<void> {
    return this.inner.leave(session);
  }

  tellStopped(session: string, key: TaskKey): Promise<void> {
    return this.inner.tellStopped(session, key);
  }

  markRunning(session: string, key: TaskKey): Promise<void> {
    return this.inner.markRunning(session, key);
  }

  unmark(session: string, key: TaskKey): Promise<void> {
    return this.inner.unmark(session, key);
  }

  sessions(): Promise<readonly RunSession[]> {
    return this.inner.sessions();
  }

  bury(session: string, sign: string): Promise<boolean> {
    return this.inner.bury(session, sign);
  }

  runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    return this.inner.runningOf(session, limit);
  }

  drop(session: string): Promise<void> {
    return this.inner.drop(session);
  }
}

// Each is right but for one thing.

/** Tells nobody that a task is stopped. */
export class TellsNobody extends RunIndex {
  override async tellStopped(): Promise<void> {}
}

/** Tells every node that a task of one is stopped. */
export class TellsEverybody extends RunIndex {
  private readonly told: string[] = [];

  override async join(listener?: TaskRunListener): Promise<string> {
    const session = await super.join(listener);
    this.told.push(session);
    return session;
  }

  override async tellStopped(_session: string, key: TaskKey): Promise<void> {
    for (const session of this.told) await super.tellStopped(session, key);
  }
}

/** Fails where it has nobody to tell. */
export class MindsWhoIsGone extends RunIndex {
  override async tellStopped(session: string, key: TaskKey): Promise<void> {
    if (!(await this.beat(session))) throw new Error('No such session');
    await super.tellStopped(session, key);
  }
}

/** Lets a session go in silence. */
export class LeavesInSilence extends RunIndex {
  override join({ stopped }: TaskRunListener = { stopped: () => undefined, orphaned: () => undefined }): Promise<string> {
    return super.join({ stopped, orphaned: () => undefined });
  }
}

/** Goes on telling those who left. */
export class TellsWhoLeft extends RunIndex {
  private readonly listeners = new Map<string, TaskRunListener>();

  override async join(listener?: TaskRunListener): Promise<string> {
    const session = await super.join(listener);
    if (listener) this.listeners.set(session, listener);
    return session;
  }

  override async tellStopped(session: string, key: TaskKey): Promise<void> {
    queueMicrotask(() => this.listeners.get(session)?.stopped(key));
  }
}

/** Shows no difference between two beats. */
export class ShowsNoBeats extends RunIndex {
  override async sessions(): Promise<readonly RunSession[]> {
    return (await super.sessions()).map(({ session, sign }) => ({ session, sign: sign && 'alive' }));
  }
}

/** Makes those leave that live. */
export class BuriesTheLiving extends RunIndex {
  override async bury(session: string): Promise<boolean> {
    await this.leave(session);
    return true;
  }
}

/** Says that a task is entered before it is. */
export class EntersLate extends RunIndex {
  override async markRunning(session: string, key: TaskKey): Promise<void> {
    setImmediate(() => void super.markRunning(session, key));
  }
}

/** A dead session takes its tasks along. */
export class DropsWithTasks extends RunIndex {
  override async drop(session: string): Promise<void> {
    for (const key of await this.runningOf(session, 100)) await this.unmark(session, key);
    await super.drop(session);
  }
}

/** A store in memory with that run index. */
export function storeWith(Index: new (inner: TaskRunIndex) => TaskRunIndex, clock: Clock): TaskStore {
  const store = new InMemoryTaskStore(clock);
  return Object.assign(store, { runIndex: new Index(store.runIndex) });
}
