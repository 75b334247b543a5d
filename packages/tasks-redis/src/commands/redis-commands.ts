import { TaskStoreFullError, TaskStoreUnavailableError } from '@mocapi/tasks';
import type { RedisClient, RedisConnection } from '../connection/redis-connection.js';
import { DeadlineQueue, RedisTimeoutError } from '../connection/deadline-queue.js';
import { CorkedWrites } from '../connection/cork-writes.js';
import { backOff } from './backoff.js';
import { StoreReturns } from './store-returns.js';
import { SilenceLog } from './silence-log.js';
import { failureOf, isDemotion } from './redis-failure.js';

/** How long commands may take, in milliseconds. */
export interface RedisCommandLimits {
  /** For one reply, whatever the client itself allows. */
  readonly commandTimeoutMs: number;
  /** For all tries of a command whose outcome is not known. */
  readonly retryForMs: number;
}

/** Sends one command; called again for each try, so it must be one that may be carried out twice. */
export type RedisSend<T> = (client: RedisClient) => Promise<T>;

/** Time after which a client should retry. */
const RETRY_AFTER_MS = 1000;
const LONGEST_PAUSE_MS = 256;
/** The least part of the time for a reply that another try is worth. */
const LEAST_SHARE = 0.05;

/** The server refused a command, and a retry does not help. It is only for the log; a client learns nothing of it. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError';
}

/** Sends commands so that each ends in time, whatever the settings of the client. */
export class RedisCommands {
  private readonly silence = new SilenceLog();
  private readonly returns: StoreReturns;
  private readonly writes: CorkedWrites;
  private readonly deadlines: DeadlineQueue;
  private isClosed = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly limits: RedisCommandLimits,
  ) {
    this.returns = new StoreReturns(connection.commands);
    this.writes = new CorkedWrites(connection.commands);
    this.deadlines = new DeadlineQueue(limits.commandTimeoutMs);
  }

  /** Whether a command would be sent now. One to a client that was never connected connects it. */
  get isReady(): boolean {
    const { status } = this.connection.commands;
    return !this.isClosed && (status === 'ready' || status === 'wait');
  }

  /**
   * Sends a command that changes nothing. It is sent in this very turn.
   * @throws TaskStoreUnavailableError if there is no reply within the time of one command, at once if it can't be sent
   * @throws RedisRefusedError
   */
  read<T>(send: RedisSend<T>): Promise<T> {
    return this.persevere(send, performance.now() + this.limits.commandTimeoutMs);
  }

  /**
   * Sends a command that may be carried out twice as well as once. It is sent in this very turn, and again while its outcome is not known.
   * @param giveUpAt when it is sent no more, by `performance.now()`; by default after the time for retries
   * @throws TaskStoreUnavailableError if the outcome stays unknown or the server could not take it; at once if it can't be sent
   * @throws TaskStoreFullError if the server is out of memory: nothing was written
   * @throws RedisRefusedError
   */
  write<T>(send: RedisSend<T>, giveUpAt = performance.now() + this.limits.retryForMs): Promise<T> {
    return this.persevere(send, giveUpAt);
  }

  /** Calls `send` at the end of this turn of the event loop, for what the turn collects into one command. It must not throw. */
  atEndOfTurn(send: () => void): void {
    this.writes.atEnd(send);
  }

  /** Calls `listener` each time commands are answered again after some were not. Returns what ends it. */
  whenBack(listener: () => void): () => void {
    return this.returns.listen(listener);
  }

  /** Nothing is sent any more. */
  close(): void {
    this.isClosed = true;
    this.returns.close();
    this.deadlines.close();
  }

  private async persevere<T>(send: RedisSend<T>, giveUpAt: number): Promise<T> {
    const refusedUntil = Math.min(giveUpAt, performance.now() + this.limits.commandTimeoutMs);
    let isUnknown = false;
    for (let round = 0; ; round++) {
      if (!this.isReady && !isUnknown) throw this.away();
      if (this.isReady) {
        try {
          return await this.sendOnce(send);
        } catch (error) {
          if (error instanceof RedisTimeoutError) this.silence.began(error);
          const failure = passable(error);
          // A client of the application's own does not do that by itself.
          if (isDemotion(error)) this.connection.reconnect?.();
          if (failure === 'unsent' && !isUnknown) throw this.away();
          isUnknown ||= failure === 'lost';
        }
      }
      // While it is known that nothing was done, nobody need wait for longer than for one reply.
      const left = (isUnknown ? giveUpAt : refusedUntil) - performance.now();
      // What is left of the time of one reply when that did not come in time is no time for another.
      if (this.isClosed || left < this.limits.commandTimeoutMs * LEAST_SHARE) throw this.away();
      await backOff(round, LONGEST_PAUSE_MS);
    }
  }

  private async sendOnce<T>(send: RedisSend<T>): Promise<T> {
    this.writes.hold();
    const reply = await this.deadlines.within(send(this.connection.commands));
    this.silence.answered();
    this.returns.answered();
    return reply;
  }

  private away(): TaskStoreUnavailableError {
    this.returns.failed();
    return unavailable();
  }
}

/** A failure after which another try may succeed; any other is thrown as what it is to a caller. */
function passable(error: unknown): 'unsent' | 'lost' | 'passing' {
  const failure = failureOf(error);
  if (failure === 'full') throw new TaskStoreFullError(RETRY_AFTER_MS, 'The task store is out of memory; retry later');
  if (failure === 'refused')
    throw new RedisRefusedError(`Redis refused a command: ${(error as Error).message}`, { cause: tellable(error) });
  return failure;
}

/**
 * The store does not answer; the client learns when to retry. The reason is logged once for the outage, and not for
 * each call.
 */
export function unavailable(): TaskStoreUnavailableError {
  return new TaskStoreUnavailableError(RETRY_AFTER_MS);
}

/** The error without the command that it came of: a log that shows every member would show the task's content, or a password. */
function tellable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = new Error(error.message);
  told.name = error.name;
  if (error.stack !== undefined) told.stack = error.stack;
  return told;
}
