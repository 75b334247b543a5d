import { InMemoryTaskStore, TaskStore, type TaskDraft, type TaskKey, type TaskMutation, type TaskRecord } from '@mocapi/tasks';

/** A store of somebody else's, as far as anybody can tell: none in memory, and with none of the optional seams. */
export class DelegatingStore extends TaskStore {
  private readonly inner = new InMemoryTaskStore();

  create(draft: TaskDraft): Promise<TaskRecord> {
    return this.inner.create(draft);
  }

  get(key: TaskKey): Promise<TaskRecord | undefined> {
    return this.inner.get(key);
  }

  update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return this.inner.update(key, mutate);
  }

  delete(key: TaskKey): Promise<void> {
    return this.inner.delete(key);
  }

  onApplicationShutdown(): void {
    this.inner.close();
  }
}
