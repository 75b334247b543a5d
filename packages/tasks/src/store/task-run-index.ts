import type { TaskKey } from './task-key.js';

/**
 * Optional seam of a store: who executes what, so that the tasks of a dead node find another.
 *
 * It only hints. What counts is `run` in the record: an entry without a matching run is passed over, and a claim is a fenced `update`.
 * So a node enters a key before it writes the record that names it as owner; the other way round a crash between the two would orphan the task.
 */
export abstract class TaskRunIndex {
  /** Enters a node and resolves to its session, which is the `owner` of its runs. A node declared dead comes back under a new one. */
  abstract join(): Promise<string>;

  /** Says the node lives. False if its session is gone: the others took it for dead, so it stops all it runs and joins anew. */
  abstract beat(session: string): Promise<boolean>;

  /** Makes the session dead at once instead of after a lease: what it still runs is free to be taken over. */
  abstract leave(session: string): Promise<void>;

  /** Enters a task under a session. Idempotent. */
  abstract markRunning(session: string, key: TaskKey): Promise<void>;

  /** Strikes a task off. Idempotent; late is harmless. */
  abstract unmark(session: string, key: TaskKey): Promise<void>;

  /** The sessions that left, or whose last beat is more than `leaseMs` ago by the store's clock. */
  abstract dead(leaseMs: number): Promise<readonly string[]>;

  /** Up to `limit` of the tasks entered under a session; empty for an unknown one. */
  abstract runningOf(session: string, limit: number): Promise<readonly TaskKey[]>;

  /** Forgets a dead session once all it ran is taken over. A session with tasks is kept. Idempotent. */
  abstract drop(session: string): Promise<void>;
}
