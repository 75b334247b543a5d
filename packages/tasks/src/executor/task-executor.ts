import { McpLimitError } from '@mocapi/core/extension';

/** A place for one attempt: waited for, then held until it is given back. */
export interface TaskSlot {
  /** Resolves when the attempt may run. Never settles for a slot that was given back before. */
  readonly ready: Promise<void>;
  /** A place was free at once. Without it the attempt is taken for one that waits. */
  readonly isReady?: boolean;
  /** Gives the place back, or leaves the queue. Harmless when called again. */
  release(): void;
}

/** For whom a place is taken. */
export interface TaskReservation {
  /** Whose queue the attempt waits in. @default that of all who are not told apart */
  readonly account?: string;
  /** The attempt's record names this node already, so no limit can turn it away. */
  readonly resumed?: boolean;
}

/** How busy an executor is. */
export interface TaskExecutorLoad {
  readonly running: number;
  readonly queued: number;
  /** Bodies that were given up on while they ran: they ignored their signal and hold no slot any more. */
  readonly zombies: number;
}

/** Where attempts of tasks run, and how many at once. One per application; the class is the token. */
export abstract class TaskExecutor {
  /**
   * Takes a place in the queue, now. Places that become free go to the callers in turn.
   * @throws TaskExecutorFullError when the queue has no room, or too many bodies, of the account or of all, go on that were given up on
   */
  abstract reserve(options?: TaskReservation): TaskSlot;

  abstract load(): TaskExecutorLoad;

  /** Places that are free now. A node takes over no more than that at once. By default as many as there are tasks. */
  get free(): number {
    return Infinity;
  }

  /**
   * Counts a body that was given up on; the returned function uncounts it, once it has ended after all. Undefined when there are as many of them as may be,
   * of its account or of all: the body then keeps its place until it ends.
   * @param account whose task it is. By default that of all who are not told apart
   */
  abstract abandoned(account?: string): (() => void) | undefined;
}

/** The queue of attempts is full. Nothing was stored; the client is told when to come back. */
export class TaskExecutorFullError extends McpLimitError {
  constructor(retryAfterMs: number) {
    super('Too many tasks are running or waiting: retry after data.retryAfterMs milliseconds', retryAfterMs);
  }
}
