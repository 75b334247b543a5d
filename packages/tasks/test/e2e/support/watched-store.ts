import { InMemoryTaskStore, type TaskDraft, type TaskKey, type TaskMutation, type TaskRecord } from '@mocapi/tasks';

/** The in-memory store, which tells what it was asked and can be held up or made to fail. */
export class WatchedStore extends InMemoryTaskStore {
  /** The operations asked for, in order. */
  readonly calls: ('create' | 'get' | 'update' | 'delete')[] = [];
  /** Every committed version, in order. */
  readonly history: TaskRecord[] = [];
  /** Awaited before an operation takes effect; what it throws, the operation throws. */
  before: Partial<Record<'create' | 'get' | 'update' | 'delete', () => unknown>> = {};

  /** How often `operation` was asked for. */
  count(operation: WatchedStore['calls'][number]): number {
    return this.calls.filter((call) => call === operation).length;
  }

  /** The last committed version of a task. */
  last(taskId: string): TaskRecord | undefined {
    return this.history.findLast((record) => record.taskId === taskId);
  }

  override async create(draft: TaskDraft): Promise<TaskRecord> {
    await this.asked('create');
    const record = await super.create(draft);
    this.history.push(record);
    return record;
  }

  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    await this.asked('get');
    return super.get(key);
  }

  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    await this.asked('update');
    const record = await super.update(key, mutate);
    if (record && !this.history.includes(record)) this.history.push(record);
    return record;
  }

  /** An update, too. */
  override async recordEntry(...[key, token, entry]: Parameters<InMemoryTaskStore['recordEntry']>): Promise<boolean> {
    await this.asked('update');
    const isOwn = await super.recordEntry(key, token, entry);
    const record = await super.get(key);
    if (record && !this.history.includes(record)) this.history.push(record);
    return isOwn;
  }

  override async delete(key: TaskKey): Promise<void> {
    await this.asked('delete');
    return super.delete(key);
  }

  private async asked(operation: WatchedStore['calls'][number]): Promise<void> {
    this.calls.push(operation);
    await this.before[operation]?.();
  }
}
