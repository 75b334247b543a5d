import { jest } from '@jest/globals';
import { redisUrl, until } from '@mocapi/redis-harness';
import type { TaskKey } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { countUp, freshPrefix, keyOf, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let client: Redis;
let store: RedisTaskStore;
let prefix: string;

beforeEach(async () => {
  prefix = freshPrefix();
  client = new Redis(redisUrl());
  store = await openStore({ kind: 'url', url: redisUrl() }, { prefix });
});
afterEach(async () => {
  await store.onApplicationShutdown();
  await client.quit();
});

/** What Redis says in one step: whether the key is there, and its time in milliseconds. */
async function look(key: TaskKey): Promise<{ isThere: boolean; now: number }> {
  const replies = await client.multi().exists(`${prefix}${key}`).time().exec();
  const [[, count], [, [seconds, micros]]] = replies as unknown as [[null, number], [null, [string, string]]];
  return { isThere: count === 1, now: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) };
}

it('a task lives to the millisecond of its deadline by the clock of Redis, and not a millisecond longer', async () => {
  const looks: { isThere: boolean; sinceDeadline: number }[] = [];
  const saw = (sinceDeadline: number) => looks.some((each) => each.sinceDeadline === sinceDeadline);
  await until('a task was looked at in the millisecond of its deadline and the next', async () => {
    const { createdAt, ...task } = await store.create(sampleDraft({ ttlMs: 30 }));
    const deadline = createdAt + 30;
    for (let now = createdAt; now < deadline + 5;) {
      const seen = await look(keyOf(task));
      now = seen.now;
      looks.push({ isThere: seen.isThere, sinceDeadline: now - deadline });
    }
    return saw(0) && saw(1);
  });
  expect(looks.filter(({ isThere, sinceDeadline }) => isThere !== sinceDeadline <= 0)).toEqual([]);
  expect(looks.some(({ isThere }) => isThere)).toBe(true);
});

it('a change of the ttl holds as exactly', async () => {
  const looks: { isThere: boolean; sinceDeadline: number }[] = [];
  // On a busy machine the first look may come too late.
  await until('a task was looked at before its end and after it', async () => {
    const record = await store.create(sampleDraft({ ttlMs: 60_000 }));
    await store.update(keyOf(record), (current) => ({ ...current, ttlMs: 70 }));
    await until('it is gone', async () => {
      const { isThere, now } = await look(keyOf(record));
      looks.push({ isThere, sinceDeadline: now - record.createdAt - 70 });
      return !isThere;
    });
    return looks.some(({ isThere }) => isThere);
  });
  expect(looks.filter(({ isThere, sinceDeadline }) => isThere !== sinceDeadline <= 0)).toEqual([]);
  expect(looks.length).toBeGreaterThan(1);
});

it('nothing is left in Redis once tasks have expired, were deleted or shortened, and their nodes have left', async () => {
  const { runIndex, changeFeed } = store;
  const session = await runIndex.join();
  const records = await Promise.all(Array.from({ length: 30 }, () => store.create(sampleDraft({ ttlMs: 1500 }))));
  for (const record of records) {
    await runIndex.markRunning(session, keyOf(record));
    changeFeed.watch(keyOf(record), () => undefined)();
    await store.update(keyOf(record), countUp);
  }
  const [first, second] = records;
  await store.delete(keyOf(first!));
  await store.update(keyOf(second!), (record) => ({ ...record, ttlMs: 1 }));
  for (const record of records) await runIndex.unmark(session, keyOf(record));
  await runIndex.leave(session);
  await runIndex.drop(session);
  expect((await client.keys(`${prefix}*`)).length).toBeGreaterThan(0);
  await until('they have expired', async () => (await client.keys(`${prefix}*`)).length === 0);
});
