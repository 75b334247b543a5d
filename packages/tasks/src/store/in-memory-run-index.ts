import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.js';
import type { TaskKey } from './task-key.js';
import { TaskRunIndex, type TaskRunListener } from './task-run-index.js';

interface Session {
  beatAt: number;
  listener: TaskRunListener | undefined;
  readonly keys: Set<TaskKey>;
}

/** Who has left is dead at any lease. */
const LEFT = Number.NEGATIVE_INFINITY;

/** The run index of a store that lives and dies with its process: engines within it can take over from each other. */
export class InMemoryRunIndex extends TaskRunIndex {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async join(listener?: TaskRunListener): Promise<string> {
    const session = randomUUID();
    this.sessions.set(session, { beatAt: this.clock.now(), listener, keys: new Set() });
    return session;
  }

  async beat(session: string): Promise<boolean> {
    const found = this.sessions.get(session);
    if (found === undefined || found.beatAt === LEFT) return false;
    found.beatAt = this.clock.now();
    return true;
  }

  async leave(session: string): Promise<void> {
    const found = this.sessions.get(session);
    if (found === undefined) return;
    found.beatAt = LEFT;
    found.listener = undefined;
    for (const { listener } of this.sessions.values()) if (listener) queueMicrotask(() => listener.orphaned());
  }

  async tellStopped(session: string, key: TaskKey): Promise<void> {
    const listener = this.sessions.get(session)?.listener;
    if (listener) queueMicrotask(() => listener.stopped(key));
  }

  async markRunning(session: string, key: TaskKey): Promise<void> {
    // Under one that was dropped meanwhile it is an orphan from the start, and would never be found if the session stayed forgotten.
    const found = this.sessions.get(session) ?? { beatAt: LEFT, listener: undefined, keys: new Set() };
    this.sessions.set(session, found);
    found.keys.add(key);
  }

  async unmark(session: string, key: TaskKey): Promise<void> {
    this.sessions.get(session)?.keys.delete(key);
  }

  async dead(leaseMs: number): Promise<readonly string[]> {
    const now = this.clock.now();
    return [...this.sessions].filter(([, { beatAt }]) => beatAt === LEFT || now - beatAt > leaseMs).map(([session]) => session);
  }

  async runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    return [...(this.sessions.get(session)?.keys ?? [])].slice(0, limit);
  }

  async drop(session: string): Promise<void> {
    if (this.sessions.get(session)?.keys.size === 0) this.sessions.delete(session);
  }
}
