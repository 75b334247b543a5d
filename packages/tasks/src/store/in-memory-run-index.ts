import { randomUUID } from 'node:crypto';
import type { TaskKey } from './task-key.js';
import { type RunSession, TaskRunIndex, type TaskRunListener } from './task-run-index.js';

interface Session {
  /** How often it has said that it lives; undefined once it has left. */
  beats: number | undefined;
  listener: TaskRunListener | undefined;
  readonly keys: Set<TaskKey>;
}

/** The run index of a store that lives and dies with its process: engines within it can take over from each other. */
export class InMemoryRunIndex extends TaskRunIndex {
  private readonly known = new Map<string, Session>();

  async join(listener?: TaskRunListener): Promise<string> {
    const session = randomUUID();
    this.known.set(session, { beats: 1, listener, keys: new Set() });
    return session;
  }

  async beat(session: string): Promise<boolean> {
    const found = this.known.get(session);
    if (found?.beats === undefined) return false;
    found.beats += 1;
    return true;
  }

  async leave(session: string): Promise<void> {
    const found = this.known.get(session);
    if (found === undefined) return;
    found.beats = undefined;
    found.listener = undefined;
    for (const { listener } of this.known.values()) if (listener) queueMicrotask(() => listener.orphaned());
  }

  async tellStopped(session: string, key: TaskKey): Promise<void> {
    const listener = this.known.get(session)?.listener;
    if (listener) queueMicrotask(() => listener.stopped(key));
  }

  async markRunning(session: string, key: TaskKey): Promise<void> {
    // Under one that was dropped meanwhile it is an orphan from the start, and would never be found if the session stayed forgotten.
    const found = this.known.get(session) ?? { beats: undefined, listener: undefined, keys: new Set() };
    this.known.set(session, found);
    found.keys.add(key);
  }

  /** The same as `markRunning` of a session that is known, at once. @returns false if nothing was done: ask that one then */
  mark(session: string, key: TaskKey): boolean {
    const found = this.markRunning === InMemoryRunIndex.prototype.markRunning ? this.known.get(session) : undefined;
    found?.keys.add(key);
    return found !== undefined;
  }

  async unmark(session: string, key: TaskKey): Promise<void> {
    this.known.get(session)?.keys.delete(key);
  }

  /** The same as `unmark`, at once. @returns false if nothing was done: ask that one then */
  erase(session: string, key: TaskKey): boolean {
    if (this.unmark !== InMemoryRunIndex.prototype.unmark) return false;
    this.known.get(session)?.keys.delete(key);
    return true;
  }

  async sessions(): Promise<readonly RunSession[]> {
    return [...this.known].map(([session, { beats }]) => ({ session, sign: beats?.toString() }));
  }

  async bury(session: string, sign: string): Promise<boolean> {
    const found = this.known.get(session);
    if (found?.beats !== undefined && found.beats.toString() !== sign) return false;
    if (found?.beats !== undefined) await this.leave(session);
    return true;
  }

  async runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    return [...(this.known.get(session)?.keys ?? [])].slice(0, limit);
  }

  async drop(session: string): Promise<void> {
    if (this.known.get(session)?.keys.size === 0) this.known.delete(session);
  }
}
