import {
  mutated,
  TaskChangeFeed,
  type TaskChangeListener,
  type TaskDraft,
  type TaskKey,
  taskKeyOf,
  type TaskMutation,
  type TaskRecord,
  TaskRunIndex,
  type TaskRunListener,
  TaskStore,
  TaskStoreUnavailableError,
  type Unwatch,
} from '@mocapi/tasks';
import type { Life } from './history.js';
import type { Link } from './link.js';
import type { SimulatedServer, WriteReply } from './simulated-server.js';

/** What the node's side of the store is made of. */
export interface NodeStoreParts {
  readonly link: Link;
  readonly server: SimulatedServer;
  readonly life: Life;
}

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

/** The run index as one node has it. */
export class NodeRunIndex extends TaskRunIndex {
  constructor(protected readonly parts: NodeStoreParts) {
    super();
  }

  join(listener?: TaskRunListener): Promise<string> {
    const { link, server, life } = this.parts;
    const told: TaskRunListener = {
      stopped: (key) => link.hint('stopped', () => listener?.stopped(key)),
      orphaned: () => link.hint('orphaned', () => listener?.orphaned()),
    };
    return link.call('joins', 'nodes', async () => {
      const session = await server.store.runIndex.join(told);
      life.sessions.push(session);
      return session;
    });
  }

  beat(session: string): Promise<boolean> {
    return this.ask('beats', 'nodes', (index) => index.beat(session));
  }

  leave(session: string): Promise<void> {
    return this.ask('leaves', 'nodes', (index) => index.leave(session));
  }

  tellStopped(session: string, key: TaskKey): Promise<void> {
    return this.ask('tells', session, (index) => index.tellStopped(session, key));
  }

  markRunning(session: string, key: TaskKey): Promise<void> {
    return this.ask('marks', session, (index) => index.markRunning(session, key));
  }

  unmark(session: string, key: TaskKey): Promise<void> {
    return this.ask('unmarks', session, (index) => index.unmark(session, key));
  }

  dead(leaseMs: number): Promise<readonly string[]> {
    return this.ask('looks for the dead', 'nodes', (index) => index.dead(leaseMs));
  }

  runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    return this.ask('looks what ran', session, (index) => index.runningOf(session, limit));
  }

  drop(session: string): Promise<void> {
    return this.ask('drops', session, (index) => index.drop(session));
  }

  protected ask<T>(what: string, key: string, serve: (index: TaskRunIndex) => Promise<T>): Promise<T> {
    const { link, server } = this.parts;
    return link.call(what, key, () => serve(server.store.runIndex));
  }
}

/** The change feed as one node has it. */
export class NodeChangeFeed extends TaskChangeFeed {
  private readonly watches = new Set<Unwatch>();

  constructor(private readonly parts: NodeStoreParts) {
    super();
  }

  /** Watches that were begun and not ended. */
  get size(): number {
    return this.watches.size;
  }

  watch(key: TaskKey, listener: TaskChangeListener): Unwatch {
    const { link, server } = this.parts;
    const unwatch = server.store.changeFeed.watch(key, (version) => link.hint('a change', () => listener(version)));
    this.watches.add(unwatch);
    return () => {
      this.watches.delete(unwatch);
      unwatch();
    };
  }

  /** What the server does when the node's connection is gone. */
  close(): void {
    for (const unwatch of this.watches) unwatch();
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
