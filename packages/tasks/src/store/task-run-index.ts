import type { TaskKey } from './task-key.js';

/** Receives news for a node that is in the run index. Each is a hint: it may come twice, late, or in a fault not at all. */
export interface TaskRunListener {
  /** The task may have been taken from this node: cancelled, deleted, or begun elsewhere. The record says whether it was. */
  stopped(key: TaskKey): void;
  /** A session has left: what it ran may be taken over now. */
  orphaned(): void;
}

/** A session as the index shows it. */
export interface RunSession {
  readonly session: string;
  /**
   * A different value after each beat; undefined once the session has left. It means nothing else: no time is read
   * from it.
   */
  readonly sign: string | undefined;
}

/**
 * Optional seam of a store: which node runs what, so that the tasks of a dead node find another.
 *
 * It only hints. What counts is `run` in the record: an entry without a matching run is passed over, and a claim is a fenced `update`.
 * So a node enters a key before it writes the record that names it as owner; the other way round a crash between the two would orphan the task.
 */
export abstract class TaskRunIndex {
  /**
   * Registers a node and resolves to its session, which is the `owner` of its runs. A node that was declared dead
   * comes back under a new one. `listener` is notified until the session leaves or is dropped.
   */
  abstract join(listener?: TaskRunListener): Promise<string>;

  /**
   * Renews the node's session. False if the session is gone: the others consider the node dead, so it aborts all it
   * runs and joins again.
   */
  abstract beat(session: string): Promise<boolean>;

  /** Makes the session dead at once instead of after a lease, and says so to every node: what it still runs is free to be taken over. */
  abstract leave(session: string): Promise<void>;

  /** Tells the node of a session, whichever it is, that a task may not be its own any more. Harmless for a session that is gone. */
  abstract tellStopped(session: string, key: TaskKey): Promise<void>;

  /** Registers a task under a session; one that was dropped meanwhile is dead, and kept. Idempotent. Once it has resolved, nobody can see a write that was asked for afterwards and not the entry. */
  abstract markRunning(session: string, key: TaskKey): Promise<void>;

  /** Removes a task. Idempotent; late is harmless. */
  abstract unmark(session: string, key: TaskKey): Promise<void>;

  /** All sessions that are not forgotten: those that live, and those that left while something stood under them. */
  abstract sessions(): Promise<readonly RunSession[]>;

  /**
   * Removes the session of a dead node, as `leave` does, unless the node has renewed it since it showed `sign`. If the
   * node still runs, its next renewal fails, so it learns that others take over its tasks.
   * @returns whether the session is gone, by this call or before
   */
  abstract bury(session: string, sign: string): Promise<boolean>;

  /** Up to `limit` of the tasks registered under a session, in any order; empty for an unknown one. */
  abstract runningOf(session: string, limit: number): Promise<readonly TaskKey[]>;

  /** Forgets a dead session once all it ran is taken over. A session with tasks is kept. Idempotent. */
  abstract drop(session: string): Promise<void>;
}
