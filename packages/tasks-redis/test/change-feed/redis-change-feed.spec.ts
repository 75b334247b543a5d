import { jest } from '@jest/globals';
import { type RedisServer, spawnRedisServer, startRedisProxy, until } from '@mocapi/redis-harness';
import { newTaskId, type TaskKey, taskKeyOf } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import type { Redis } from 'ioredis';
import { countUp, keyOf, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let server: RedisServer;
let client: Redis;
let peer: RedisTaskStore;

beforeAll(async () => {
  server = await spawnRedisServer();
  client = server.client();
  peer = await open();
});
afterAll(async () => {
  await peer.onApplicationShutdown();
  await server.stop();
});

const open = (url = server.url) => openStore({ kind: 'url', url }, { prefix: 'p:' });
const subscribersOf = async (key: TaskKey) => ((await client.pubsub('NUMSUB', `p:${key}:c`)) as [string, number])[1];

async function withStore(url: string, check: (store: RedisTaskStore) => Promise<void>): Promise<void> {
  const store = await open(url);
  try {
    await check(store);
  } finally {
    await store.onApplicationShutdown();
  }
}

it('a change between the beginning of a watch and its subscription is told', async () => {
  const proxy = await startRedisProxy(server.port);
  try {
    await withStore(proxy.url, async (store) => {
      const key = keyOf(await peer.create(sampleDraft()));
      const heard: number[] = [];
      const stall = proxy.stall();
      store.changeFeed.watch(key, (version) => heard.push(version));
      await peer.update(key, countUp);
      await until('the subscription waits', () => stall.fired > 0);
      expect(await subscribersOf(key)).toBe(0);
      stall.end();
      await until('it is told', () => heard.length > 0);
      expect(heard).toEqual([2]);
    });
  } finally {
    await proxy.stop();
  }
});

it('a lost connection is told as the version that nobody knows, to every watch, once changes are heard again', async () => {
  const proxy = await startRedisProxy(server.port);
  try {
    await withStore(proxy.url, async (store) => {
      const keys = [keyOf(await peer.create(sampleDraft())), taskKeyOf(undefined, newTaskId())];
      const heard = keys.map((): number[] => []);
      for (const [index, key] of keys.entries()) store.changeFeed.watch(key, (version) => heard[index]!.push(version));
      await until('the versions are told that there are', () => heard[0]!.length > 0);
      await until('all is subscribed', async () => (await subscribersOf(keys[1]!)) === 1);
      expect(heard).toEqual([[1], []]);
      expect(proxy.dropSubscribers()).toBe(1);
      await until('it is told', () => heard.every((versions) => versions.includes(Number.POSITIVE_INFINITY)));
      await peer.update(keys[0]!, countUp);
      await until('the change is heard', () => heard[0]!.includes(2));
      expect(heard).toEqual([[1, Infinity, 2], [Infinity]]);
    });
  } finally {
    await proxy.stop();
  }
});

it('however many watch a task, Redis has one subscription, and none once the last has gone', async () => {
  await withStore(server.url, async (store) => {
    const key = keyOf(await peer.create(sampleDraft()));
    const heard = [0, 0, 0];
    const ends = heard.map((_, index) => store.changeFeed.watch(key, () => (heard[index]! += 1)));
    await until('it is subscribed', async () => (await subscribersOf(key)) === 1);
    await until('all are told of the version that there is', () => heard.every((count) => count === 1));
    await peer.update(key, countUp);
    await until('all are told', () => heard.every((count) => count === 2));
    expect(await subscribersOf(key)).toBe(1);
    for (const end of ends) end();
    await until('nobody is subscribed', async () => (await subscribersOf(key)) === 0);
    expect(store.changeFeed.size).toBe(0);
  });
});

it('a watch that begins right after the last one ended hears of changes', async () => {
  await withStore(server.url, async (store) => {
    const key = keyOf(await peer.create(sampleDraft()));
    const first: number[] = [];
    const end = store.changeFeed.watch(key, (version) => first.push(version));
    await until('it is subscribed', () => first.length > 0);
    end();
    const second: number[] = [];
    store.changeFeed.watch(key, (version) => second.push(version));
    await until('it is told of the version that there is', () => second.length > 0);
    await peer.update(key, countUp);
    await until('it is told', () => second.at(-1) === 2);
    expect([first, second]).toEqual([[1], [1, 2]]);
  });
});

it('watches that begin in one turn are subscribed by one command', async () => {
  await withStore(server.url, async (store) => {
    await client.config('RESETSTAT');
    const keys = Array.from({ length: 100 }, () => taskKeyOf(undefined, newTaskId()));
    for (const key of keys) store.changeFeed.watch(key, () => undefined);
    await until('all are subscribed', async () => (await subscribersOf(keys.at(-1)!)) === 1);
    expect(/cmdstat_subscribe:calls=(\d+)/.exec(await client.info('commandstats'))?.[1]).toBe('1');
  });
});

it('a listener that throws keeps nobody from hearing', async () => {
  await withStore(server.url, async (store) => {
    const key = keyOf(await peer.create(sampleDraft()));
    const heard: number[] = [];
    store.changeFeed.watch(key, () => {
      throw new Error('from the listener');
    });
    store.changeFeed.watch(key, (version) => heard.push(version));
    await until('it is told of the version that there is', () => heard.length > 0);
    await peer.update(key, countUp);
    await until('it is told', () => heard.at(-1) === 2);
  });
});
