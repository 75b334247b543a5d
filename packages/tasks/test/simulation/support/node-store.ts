import {
  mutated,
  type TaskDraft,
  type TaskKey,
  taskKeyOf,
  type TaskMutation,
  type TaskRecord,
  TaskStore,
  TaskStoreUnavailableError,
} from '@mocapi/tasks';
import { NodeChangeFeed } from './node-change-feed.js';
import { NodeRunIndex } from './node-run-index.js';
import type { NodeStoreParts } from './node-store-parts.js';
import type { WriteReply } from './simulated-server.js';

/** The store as one node has it: reads, then writes if nothing came between, and sends a write whose reply is missing once more under its name. */
export class NodeStore extends TaskStore {
  override readonly changeFeed: NodeChangeFeed;
  override readonly runIndex: NodeRunIndex;
  private operations = 0;

  constructor(protected readonly parts: NodeStoreParts) {
    super();
    this.changeFeed = new NodeChangeFeed(parts);
    this.runIndex = this.indexOf(parts);
  }

  protected indexOf(parts: NodeStoreParts): NodeRunIndex {
    return new NodeRunIndex(parts);
  }

  create(draft: TaskDraft): Promise<TaskRecord> {
    const { link, server } = this.parts;
    const write = this.named();
    return twice(() => link.call('creates', taskKeyOf(draft.principal, draft.taskId, draft.endpoint), () => server.create(draft, write)));
  }

  get(key: TaskKey): Promise<TaskRecord | undefined> {
    const { link, server } = this.parts;
    return link.call('gets', key, () => server.get(key));
  }

  async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    let current = await this.get(key);
    for (;;) {
      if (!current) return undefined;
      const next = mutated(current, mutate);
      if (next === current) return current;
      const { isDone, record } = await this.replace(key, current, next);
      if (isDone) return record;
      current = record;
    }
  }

  delete(key: TaskKey): Promise<void> {
    const { link, server } = this.parts;
    return link.call('deletes', key, () => server.delete(key, link.name));
  }

  protected replace(key: TaskKey, expected: TaskRecord, next: TaskRecord): Promise<WriteReply> {
    const { link, server } = this.parts;
    const write = this.named();
    return twice(() => link.call('writes', key, () => server.replace(key, { expected, next }, write)));
  }

  private named(): { operation: string; by: string } {
    const by = this.parts.link.name;
    return { operation: `${by}#${(this.operations += 1)}`, by };
  }
}

async function twice<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof TaskStoreUnavailableError) return send();
    throw error;
  }
}
