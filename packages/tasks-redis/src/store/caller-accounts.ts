import { createHash } from 'node:crypto';
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

const ADMIT = RedisScript.load('admit');
/** Time after which a caller should retry if its tasks have no end, or a far one, in milliseconds. */
const LONGEST_RETRY_MS = 60_000;

/** How many tasks each caller has in Redis: one sorted set for each, in a slot of its own. Those that have expired do not count. */
export class CallerAccounts {
  constructor(private readonly parts: CallerAccountsParts) {}

  /** The account of a draft: a digest that stands in place of the caller. */
  accountOf(draft: Pick<TaskDraft, 'principal' | 'origin'>): string {
    return createHash('sha256')
      .update(`mcp-account/1 ${accountOf(draft)}`)
      .digest('base64url');
  }

  /**
   * Counts a task before it is created. Counting it twice counts it once.
   * @throws TaskQuotaError if the caller has as many as it may have; what `RedisCommands.write` throws
   */
  async admit(account: string, key: TaskKey, ttlMs: number | null): Promise<void> {
    const { commands, keys, maxStored, clock } = this.parts;
    const args = [key, ttlMs ?? '', maxStored, clock?.now() ?? ''];
    const [code, ms] = (await commands.write((client) => ADMIT.run(client, keys.account(account), args))) as [unknown, unknown];
    if (Number(code) === 1) return;
    throw new TaskQuotaError(Math.max(1, Math.min(Number(ms) || LONGEST_RETRY_MS, LONGEST_RETRY_MS)));
  }

  /** Counts a task no more. Until that is done, or the task would have expired, the caller has one task less. */
  async dismiss(account: string, key: TaskKey): Promise<void> {
    const { commands, keys } = this.parts;
    await commands.write((client) => client.zrem(keys.account(account), key));
  }
}
