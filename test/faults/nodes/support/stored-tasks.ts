import type { Redis } from 'ioredis';
import { isTerminal, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import { readTaskString } from '../../../support/task-string.js';
import { countsKey, taskPrefix } from '../fixture/node-settings.js';

/** A task's record as it stands in Redis. Times are milliseconds by the clock of Redis. */
export interface StoredTask {
  readonly key: string;
  readonly version: number;
  readonly updatedAt: number;
  readonly record: Omit<TaskRecord, 'version' | 'createdAt' | 'lastUpdatedAt'>;
}

/** What a test finds in Redis when it looks itself, without a node between. */
export class StoredTasks {
  constructor(
    private readonly redis: Redis,
    private readonly root: string,
  ) {}

  /** The Redis key of an anonymous caller's task, or of a principal's. */
  keyOf(taskId: string, principalId?: string): string {
    return taskPrefix(this.root) + taskKeyOf(principalId === undefined ? undefined : { id: principalId }, taskId);
  }

  /** Every task there is. */
  async all(): Promise<StoredTask[]> {
    const keys = (await this.keys(`${taskPrefix(this.root)}*`)).filter((key) =>
      /^[\w-]{43}$/.test(key.slice(taskPrefix(this.root).length)),
    );
    const pipeline = this.redis.pipeline();
    for (const key of keys) pipeline.get(key);
    const found = (await pipeline.exec()) ?? [];
    return found.map(([, text], index) => storedTask(keys[index]!.slice(taskPrefix(this.root).length), text as string));
  }

  /** How many tasks have not ended. */
  async open(): Promise<number> {
    return (await this.all()).filter(({ record }) => !isTerminal(record.status)).length;
  }

  /** How many tasks are at work, on whatever node. */
  async atWork(): Promise<number> {
    return (await this.all()).filter(({ record }) => record.status === 'working').length;
  }

  /** What the tools have counted: `begun:<job>` and the like. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const counted = await this.redis.hgetall(countsKey(this.root));
    return new Map(Object.entries(counted).map(([what, times]) => [what, Number(times)]));
  }

  /** The sessions that are in the run index now. */
  sessions(): Promise<string[]> {
    return this.redis.zrange(`${taskPrefix(this.root)}nodes`, '0', '-1');
  }

  /**
   * Sets all signs of life back by `ms`, which looks like a clock of Redis that steps forward by as much. Sessions that left stay as they are.
   * @returns how many of them are older than that by the clock of Redis now
   */
  async setSignsBack(ms: number): Promise<number> {
    const [key, sessions] = [`${taskPrefix(this.root)}nodes`, await this.sessions()];
    const multi = this.redis.multi();
    for (const session of sessions) multi.zincrby(key, -ms, session);
    multi.time();
    const replies = (await multi.exec())!.map(([, reply]) => reply);
    const [seconds, micros] = replies.pop() as [string, string];
    const now = Number(seconds) * 1000 + Number(micros) / 1000;
    return replies.filter((score) => now - Number(score) >= ms).length;
  }

  /** How many tasks are entered in the run index, under whatever session. */
  async entered(): Promise<number> {
    const sets = await this.keys(`${taskPrefix(this.root)}run:*`);
    const sizes = await Promise.all(sets.map((set) => this.redis.scard(set)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Now, by the clock of Redis, in milliseconds. */
  async now(): Promise<number> {
    const [seconds, micros] = await this.redis.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  }

  /** Removes every key of the test. */
  async clear(): Promise<void> {
    const keys = await this.keys(`${this.root}*`);
    for (let from = 0; from < keys.length; from += 1000) await this.redis.unlink(...keys.slice(from, from + 1000));
  }

  private async keys(pattern: string): Promise<string[]> {
    const found = new Set<string>();
    for await (const page of this.redis.scanStream({ match: pattern, count: 1000 })) for (const key of page as string[]) found.add(key);
    return [...found];
  }
}

function storedTask(key: string, text: string): StoredTask {
  const { version, updatedAt, document, entries } = readTaskString(text);
  // A slot that was filled stands there twice; nobody who looks here minds.
  return { key, version, updatedAt, record: { ...document, ledger: entries } };
}
