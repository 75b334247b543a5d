import { McpLimitError } from '@mocapi/core/extension';

/** The right to run one body: waited for, then held until it is given back. */
export interface TaskSlot {
  /** Resolves when the attempt may run. Never settles for a slot that was given back before. */
  readonly ready: Promise<void>;
  /** A slot was free at once. Without it the attempt counts as waiting. */
  readonly isReady?: boolean;
  /** Gives it back, or leaves the queue. Harmless when called again. */
  release(): void;
}

/** For whom a slot is taken. */
export interface TaskReservation {
  /** The account in whose queue the attempt waits. @default the account of all unidentified callers */
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
   * Takes a slot or a place in the queue, now. Free slots go to the callers in turn.
   * @throws TaskExecutorFullError if the queue has no room, or if too many abandoned bodies, of the account or of all,
   * still run
   */
  abstract reserve(options?: TaskReservation): TaskSlot;

  abstract load(): TaskExecutorLoad;

  /** Slots that are free now. A node takes over no more than that at once. By default as many as there are tasks. */
  get free(): number {
    return Infinity;
  }

  /**
   * Counts an abandoned body; the returned function uncounts it, once it has ended after all. Undefined if its
   * account, or all together, already have the most abandoned bodies: the body then keeps its slot until it ends.
   * @param account the account of the task. The default is the account of all unidentified callers
   */
  abstract abandoned(account?: string): (() => void) | undefined;
}

/** The queue of attempts is full. Nothing was stored; the client learns when to retry. */
export class TaskExecutorFullError extends McpLimitError {
  constructor(retryAfterMs: number) {
    super('Too many tasks are running or waiting: retry after data.retryAfterMs milliseconds', retryAfterMs);
  }
}
