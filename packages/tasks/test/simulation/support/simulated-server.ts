import { InMemoryTaskStore, type TaskDraft, type TaskKey, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import type { History } from './history.js';
import { ServerClock, type SimulatedTime } from './simulated-time.js';

/** A write that names itself, so that the server knows it when it comes again. */
export interface NamedWrite {
  readonly operation: string;
  /** The node that asks. */
  readonly by: string;
}

/** What the server makes of a write: the record as it then is. */
export interface WriteReply {
  readonly isDone: boolean;
  readonly record: TaskRecord | undefined;
}

/** The store's side of the wire: the in-memory store behind single writes that are compared, named, and noted in the history. */
export class SimulatedServer {
  readonly store: InMemoryTaskStore;
  private readonly operations = new Map<TaskKey, string>();

  constructor(
    private readonly time: SimulatedTime,
    private readonly history: History,
  ) {
    this.store = new InMemoryTaskStore(new ServerClock(time), { sweepIntervalMs: 5000 });
  }

  /** What time it is, by the one clock that counts. */
  get now(): number {
    return this.time.now;
  }

  async create(draft: TaskDraft, { operation, by }: NamedWrite): Promise<TaskRecord> {
    const key = taskKeyOf(draft.principal, draft.taskId, draft.endpoint);
    const known = this.operations.get(key) === operation ? await this.store.get(key) : undefined;
    if (known) return known;
    const after = await this.store.create(draft);
    this.operations.set(key, operation);
    this.history.commit({ at: this.time.now, by, key, after });
    return after;
  }

  async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await this.store.get(key);
    const at = this.time.now;
    this.history.looks.push({ at, found: record !== undefined, isAlive: this.history.readable(key, at) !== undefined });
    return record;
  }

  /** Puts `next` in the place of `expected`, if that is still there. */
  async replace(key: TaskKey, change: { expected: TaskRecord; next: TaskRecord }, { operation, by }: NamedWrite): Promise<WriteReply> {
    const before = await this.store.get(key);
    if (!before || this.operations.get(key) === operation) return { isDone: true, record: before };
    if (before.version !== change.expected.version) return { isDone: false, record: before };
    const after = await this.store.update(key, () => change.next);
    this.operations.set(key, operation);
    this.history.commit({ at: this.time.now, by, key, before, ...(after ? { after } : {}) });
    return { isDone: true, record: after };
  }

  async delete(key: TaskKey, by: string): Promise<void> {
    const before = await this.store.get(key);
    await this.store.delete(key);
    this.operations.delete(key);
    if (before) this.history.commit({ at: this.time.now, by, key, before });
  }
}
