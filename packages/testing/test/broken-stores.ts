import {
  type Clock,
  InMemoryTaskStore,
  isAlive,
  isRunBy,
  type RunToken,
  settle,
  type TaskDraft,
  type TaskKey,
  taskKeyOf,
  type TaskMutation,
  type TaskRecord,
  TaskStore,
  type TaskView,
  withLedgerEntry,
} from '@mocapi/tasks';

// Each is right but for one thing.

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Reads, waits, writes: what came between is lost. */
export class LosesUpdates extends InMemoryTaskStore {
  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const current = await this.get(key);
    if (current === undefined) return undefined;
    const next = mutate(current);
    await later();
    return next === current ? current : super.update(key, () => next);
  }
}

/** Tells every writer that it won. */
export class FlattersLosers extends InMemoryTaskStore {
  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const before = await this.get(key);
    await later();
    const committed = await super.update(key, mutate);
    return committed && before ? { ...committed, ...mutate(before), version: committed.version } : committed;
  }
}

/** Writes whether or not there is a change. */
export class WritesAlways extends InMemoryTaskStore {
  override update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return super.update(key, (record) => {
      const next = mutate(record);
      return next === record ? { ...record } : next;
    });
  }
}

/** Lays the mutation's result over the record, so that nothing ever leaves it. */
export class Merges extends InMemoryTaskStore {
  override update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return super.update(key, (record) => {
      const next = mutate(record);
      return next === record || !next || next instanceof Promise ? next : { ...record, ...next };
    });
  }
}

/** Looks after the last write instead of the creation, so each change prolongs a life. */
export class Prolongs extends InMemoryTaskStore {
  constructor(
    private readonly time: Clock,
    options: { allowUnlimitedTtl: boolean },
  ) {
    super(time, options);
  }

  override update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return super.update(key, (record) => {
      const next = mutate(record);
      if (next === record || record.ttlMs === null || next?.ttlMs !== record.ttlMs) return next;
      return { ...next, ttlMs: record.ttlMs + this.time.now() - record.createdAt };
    });
  }
}

/** Overwrites a live task. */
export class Overwrites extends InMemoryTaskStore {
  override create(draft: TaskDraft): Promise<TaskRecord> {
    void this.delete(taskKeyOf(draft.principal, draft.taskId));
    return super.create(draft);
  }
}

/** Runs every mutation three times, as a store may. Not broken. */
export class RunsMutationsOften extends InMemoryTaskStore {
  override update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return super.update(key, (record) => {
      mutate({ ...record, statusMessage: 'a record that lost' });
      mutate(record);
      return mutate(record);
    });
  }
}

/** Shows what has expired. */
export class ReadsExpired extends InMemoryTaskStore {
  private readonly shown = new Map<TaskKey, TaskRecord>();

  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = (await super.get(key)) ?? this.shown.get(key);
    if (record) this.shown.set(key, record);
    return record;
  }

  override async delete(key: TaskKey): Promise<void> {
    this.shown.delete(key);
    await super.delete(key);
  }
}

/** Takes the deadline for the first moment without the task. */
export class EndsEarly extends InMemoryTaskStore {
  constructor(
    private readonly time: Clock,
    options: { allowUnlimitedTtl: boolean },
  ) {
    super(time, options);
  }

  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await super.get(key);
    return record && isAlive(record, this.time.now() + 1) ? record : undefined;
  }
}

/** Records a step for whoever asks, in a task that has not ended. */
export class IgnoresFences extends InMemoryTaskStore {
  override async recordEntry(key: TaskKey, _token: RunToken, entry: TaskRecord['ledger'][number]): Promise<boolean> {
    return (await this.update(key, (record) => withLedgerEntry(record, entry))) !== undefined;
  }
}

/** Writes a slot again that has its answer. */
export class OverwritesSlots extends InMemoryTaskStore {
  override async recordEntry(key: TaskKey, token: RunToken, entry: TaskRecord['ledger'][number]): Promise<boolean> {
    const overwritten = (record: TaskRecord): TaskRecord => ({
      ...record,
      ledger: [...record.ledger.filter((slot) => slot.key !== entry.key), entry],
    });
    const record = await this.update(key, (current) => settle(current, token, overwritten));
    return record !== undefined && isRunBy(record, token);
  }
}

/** Keeps the first view of a task for later ones. */
export class KeepsViews extends InMemoryTaskStore {
  private readonly views = new Map<TaskKey, TaskView>();

  override async view(key: TaskKey): Promise<TaskView | undefined> {
    const known = (await this.get(key)) && this.views.get(key);
    const view = known ?? (await this.get(key));
    if (view) this.views.set(key, view);
    return view;
  }
}

/** Does not count. */
export class NeverCounts extends InMemoryTaskStore {
  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await super.get(key);
    return record && { ...record, version: 1 };
  }

  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const record = await super.update(key, mutate);
    return record && { ...record, version: 1 };
  }
}

/** Holds what it was given, as it was given, and refuses nothing. */
export class NaiveStore extends TaskStore {
  private readonly records = new Map<TaskKey, TaskRecord>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async create(draft: TaskDraft): Promise<TaskRecord> {
    const now = this.clock.now();
    const record = { ...draft, createdAt: now, lastUpdatedAt: now, version: 1 };
    this.records.set(taskKeyOf(draft.principal, draft.taskId), record);
    return record;
  }

  async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = this.records.get(key);
    return record && isAlive(record, this.clock.now()) ? record : undefined;
  }

  async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const current = await this.get(key);
    if (current === undefined) return undefined;
    const next = mutate(current);
    if (next === current) return current;
    const record: TaskRecord = Object.assign({ lastUpdatedAt: this.clock.now(), version: current.version + 1 }, next);
    this.records.set(key, record);
    return record;
  }

  async delete(key: TaskKey): Promise<void> {
    this.records.delete(key);
  }
}
