import { hash } from 'node:crypto';
import { accountOf, type Clock, type TaskDraft, type TaskKey, TaskQuotaError } from '@mocapi/tasks';
import type { RedisCommands } from '../commands/redis-commands.js';
import type { RedisKeys } from '../commands/redis-keys.js';
import { RedisScript } from '../commands/redis-script.js';

/** Parts of the count of tasks by caller. */
export interface CallerAccountsParts {
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
  /** How many tasks a caller may have. */
  readonly maxStored: number;
  /** Tests alone: the time instead of that of Redis. */
  readonly clock?: Clock | undefined;
}

/** A task that is about to be created. */
interface Newcomer {
  readonly key: TaskKey;
  readonly ttlMs: number | null;
  readonly admit: () => void;
  readonly reject: (error: unknown) => void;
}

const ADMIT = RedisScript.load('admit');
/** Tasks in one command: a script takes no more than some thousand values at once. */
const PORTION = 1000;
/** Time after which a caller should retry if its tasks have no end, or a far one, in milliseconds. */
const LONGEST_RETRY_MS = 60_000;

/**
 * How many tasks each caller has in Redis: one sorted set for each, in a slot of its own. Those that have expired do not count.
 * Tasks that one caller creates in one turn are counted in one command.
 */
export class CallerAccounts {
  private readonly newcomers = new Map<string, Newcomer[]>();
  /** The digest that was made last: a caller that creates one task often creates another. */
  private last = { account: '', digest: '' };

  constructor(private readonly parts: CallerAccountsParts) {}

  /** The account of a draft: a digest that stands in place of the caller. */
  accountOf(draft: Pick<TaskDraft, 'principal' | 'origin'>): string {
    const account = accountOf(draft);
    if (account !== this.last.account) this.last = { account, digest: hash('sha256', `mcp-account/1 ${account}`, 'base64url') };
    return this.last.digest;
  }

  /**
   * Counts a task before it is created. Counting it twice counts it once.
   * @throws TaskQuotaError if the caller has as many as it may have; what `RedisCommands.write` throws
   */
  admit(account: string, key: TaskKey, ttlMs: number | null): Promise<void> {
    return new Promise((admit, reject) => {
      const newcomer = { key, ttlMs, admit, reject };
      const others = this.newcomers.get(account);
      if (others !== undefined) return void others.push(newcomer);
      this.newcomers.set(account, [newcomer]);
      this.parts.commands.atEndOfTurn(() => this.send(account));
    });
  }

  /** Counts a task no more. Until that is done, or the task would have expired, the caller has one task less. */
  async dismiss(account: string, key: TaskKey): Promise<void> {
    const { commands, keys } = this.parts;
    await commands.write((client) => client.zrem(keys.account(account), key));
  }

  private send(account: string): void {
    const newcomers = this.newcomers.get(account) ?? [];
    this.newcomers.delete(account);
    for (let from = 0; from < newcomers.length; from += PORTION) {
      const portion = newcomers.slice(from, from + PORTION);
      this.count(account, portion).catch((error: unknown) => portion.forEach(({ reject }) => reject(error)));
    }
  }

  private async count(account: string, newcomers: readonly Newcomer[]): Promise<void> {
    const { commands, keys, maxStored, clock } = this.parts;
    const args = [maxStored, clock?.now() ?? '', ...newcomers.flatMap(({ key, ttlMs }) => [key, ttlMs ?? ''])];
    const [ms, ...codes] = (await commands.write((client) => ADMIT.run(client, keys.account(account), args))) as unknown[];
    const retryAfterMs = Math.max(1, Math.min(Number(ms) || LONGEST_RETRY_MS, LONGEST_RETRY_MS));
    for (const [index, { admit, reject }] of newcomers.entries()) {
      if (Number(codes[index]) === 1) admit();
      else reject(new TaskQuotaError(retryAfterMs));
    }
  }
}
