import { jest } from '@jest/globals';
import { monitorRedis, redisUrl } from '@mocapi/redis-harness';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { countUp, freshPrefix, keyOf, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

const prefix = freshPrefix();
const stores: RedisTaskStore[] = [];
let client: Redis;

beforeAll(async () => {
  client = new Redis(redisUrl());
  for (let node = 0; node < 4; node++) stores.push(await openStore({ kind: 'url', url: redisUrl() }, { prefix }));
});
afterAll(async () => {
  for (const store of stores) await store.onApplicationShutdown();
  await client.quit();
});

it('16 writers on 4 nodes, all on one task, lose nothing, and mostly succeed at the first try', async () => {
  const key = keyOf(await stores[0]!.create(sampleDraft()));
  let mutations = 0;
  const writer = async (store: RedisTaskStore) => {
    for (let round = 0; round < 50; round++) await store.update(key, (record) => ((mutations += 1), countUp(record)));
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => writer(stores[index % 4]!)));
  const record = await stores[0]!.get(key);
  expect([record?.version, record?.statusMessage]).toEqual([801, '800']);
  expect(mutations / 800).toBeLessThan(2);
});

it('who alone works on a task writes it without reading it first', async () => {
  const [store] = stores;
  const key = keyOf(await store!.create(sampleDraft()));
  const asked: string[] = [];
  const stop = await monitorRedis(redisUrl(), ({ source, args }) => {
    // What a script calls is shown as well.
    if (source !== 'lua' && args.some((arg) => arg.includes(key))) asked.push(args[0]!);
  });
  try {
    for (let round = 0; round < 3; round++) await store!.update(key, countUp);
    await client.exists(`${prefix}${key}`);
    while (asked.at(-1) !== 'exists') await client.ping();
  } finally {
    stop();
  }
  // A reading would come as a command of its own, with the whole document.
  expect(asked.filter((name) => name.startsWith('eval'))).toHaveLength(3);
  expect(asked.filter((name) => name.toLowerCase().includes('get'))).toEqual([]);
});

it('who has fallen behind is not misled by what it wrote itself', async () => {
  const [store, peer] = stores;
  const key = keyOf(await store!.create(sampleDraft()));
  await peer!.update(key, (record) => ({ ...record, statusMessage: 'from the peer' }));
  const seen: (string | undefined)[] = [];
  const unchanged = await store!.update(key, (record) => (seen.push(record.statusMessage), record));
  expect(unchanged?.statusMessage).toBe('from the peer');
  const failing = store!.update(key, (record) => {
    throw new Error(`saw ${record.statusMessage}`);
  });
  await expect(failing).rejects.toThrow('saw from the peer');
});

it('who deletes a task mutates it no more', async () => {
  const [store] = stores;
  const key = keyOf(await store!.create(sampleDraft()));
  await store!.delete(key);
  let mutations = 0;
  expect(await store!.update(key, (record) => ((mutations += 1), countUp(record)))).toBeUndefined();
  expect(mutations).toBe(0);
});
