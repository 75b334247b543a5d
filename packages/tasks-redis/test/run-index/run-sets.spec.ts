import { jest } from '@jest/globals';
import { type RedisServer, spawnRedisServer, startRedisProxy, until } from '@mocapi/redis-harness';
import { newTaskId, type TaskKey, taskKeyOf } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import type { Redis } from 'ioredis';
import { keyOf, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let server: RedisServer;
let client: Redis;
let store: RedisTaskStore;
let peer: RedisTaskStore;

beforeAll(async () => {
  server = await spawnRedisServer();
  client = server.client();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await client.flushall();
  [store, peer] = [await open(), await open()];
});
afterEach(async () => {
  for (const each of [store, peer]) await each.onApplicationShutdown();
});

const open = (url = server.url) => openStore({ kind: 'url', url }, { prefix: 'p:' });
const left = async ({ runIndex }: RedisTaskStore) =>
  (await runIndex.sessions()).filter(({ sign }) => sign === undefined).map(({ session }) => session);
const someKey = (): TaskKey => taskKeyOf(undefined, newTaskId());
const someKeys = (count: number) => Array.from({ length: count }, someKey);
const callsOf = async (command: string) =>
  Number(/calls=(\d+)/.exec((await client.info('commandstats')).split(`cmdstat_${command}:`)[1] ?? '')?.[1] ?? 0);

it('tasks that are entered in one turn, or struck off within some milliseconds, cost one command together', async () => {
  const { runIndex } = store;
  const session = await runIndex.join();
  const keys = someKeys(500);
  await client.config('RESETSTAT');
  await Promise.all(keys.map((key) => runIndex.markRunning(session, key)));
  expect(await runIndex.runningOf(session, 1000)).toHaveLength(500);
  expect(await callsOf('sadd')).toBe(1);
  await Promise.all(keys.map((key) => runIndex.unmark(session, key)));
  expect(await runIndex.runningOf(session, 10)).toEqual([]);
  expect(await callsOf('srem')).toBe(1);
});

it('who can see a task can see the entry that was made before it', async () => {
  const session = await store.runIndex.join();
  const unseen = new Set<string>();
  const look = async () => {
    const tasks = (await client.keys('p:*')).map((name) => name.slice(2)).filter((name) => name.length === 43);
    for (const key of tasks) if (!(await client.sismember(`p:run:${session}`, key))) unseen.add(key);
    return tasks.length === 200;
  };
  const looking = (async () => {
    while (!(await look()));
  })();
  for (let round = 0; round < 200; round++) {
    const draft = sampleDraft();
    await store.runIndex.markRunning(session, keyOf(draft));
    await store.create(draft);
  }
  await looking;
  expect([...unseen]).toEqual([]);
});

it('a task that is struck off and entered again right away is entered', async () => {
  const { runIndex } = store;
  const session = await runIndex.join();
  const key = someKey();
  await runIndex.markRunning(session, key);
  await runIndex.unmark(session, key);
  await runIndex.markRunning(session, key);
  const [other] = [someKey()];
  await runIndex.markRunning(session, other);
  await runIndex.unmark(session, other);
  expect(await runIndex.runningOf(session, 10)).toEqual([key]);
});

it('striking off reaches Redis by itself, though nobody waits for it', async () => {
  const session = await store.runIndex.join();
  const key = someKey();
  await store.runIndex.markRunning(session, key);
  await store.runIndex.unmark(session, key);
  await until('it has', async () => (await client.exists(`p:run:${session}`)) === 0);
});

it('what could not be struck off is struck off once it can be, and what was entered again stays', async () => {
  const session = await store.runIndex.join();
  const [gone, again] = [someKey(), someKey()];
  for (const key of [gone, again]) await store.runIndex.markRunning(session, key);
  await client.call('ACL', 'SETUSER', 'default', '-srem');
  const denied = async () => ((await client.call('ACL', 'LOG')) as unknown[]).length;
  try {
    for (const key of [gone, again]) await store.runIndex.unmark(session, key);
    await until('it was refused', async () => (await denied()) > 0);
    await store.runIndex.markRunning(session, again);
    expect(await client.scard(`p:run:${session}`)).toBe(2);
  } finally {
    await client.call('ACL', 'SETUSER', 'default', '+srem');
  }
  await until('it is gone', async () => (await client.sismember(`p:run:${session}`, gone)) === 0);
  expect(await client.smembers(`p:run:${session}`)).toEqual([again]);
});

it('an entry under a session that was dropped meanwhile can still be found', async () => {
  const session = await store.runIndex.join();
  await peer.runIndex.drop(session);
  expect(await left(peer)).toEqual([]);
  const key = someKey();
  await store.runIndex.markRunning(session, key);
  await until('the session is listed again', async () => (await left(peer)).includes(session));
  expect(await peer.runIndex.runningOf(session, 10)).toEqual([key]);
  expect(await store.runIndex.beat(session)).toBe(false);
});

it('an entry that comes while its session is being dropped can still be found', async () => {
  const session = await store.runIndex.join();
  const key = someKey();
  const proxy = await startRedisProxy(server.port);
  const slow = await open(proxy.url);
  try {
    // The session is gone from the list, and whoever drops it does not know that yet.
    const cut = proxy.loseReply({ containing: ['zrem', session] });
    const dropping = slow.runIndex.drop(session);
    await until('the reply is lost', () => cut.fired === 1);
    const stall = proxy.stall();
    await client.sadd(`p:run:${session}`, key);
    expect(await client.zscore('p:nodes', session)).toBeNull();
    await until('it asks again', () => stall.fired > 0);
    stall.end();
    await dropping;
    expect(await left(peer)).toEqual([session]);
  } finally {
    await slow.onApplicationShutdown();
    await proxy.stop();
  }
});

it('a session with tasks is not dropped: it can go on beating', async () => {
  const session = await store.runIndex.join();
  await store.runIndex.markRunning(session, someKey());
  await peer.runIndex.drop(session);
  expect(await store.runIndex.beat(session)).toBe(true);
});

it('leaving after having been dropped lists the session again, for whatever it entered since', async () => {
  const session = await store.runIndex.join();
  await peer.runIndex.drop(session);
  await client.sadd(`p:run:${session}`, someKey());
  await store.runIndex.leave(session);
  expect(await left(peer)).toEqual([session]);
});

it('each beat changes the sign of a session, though the clock of Redis stands still or steps back', async () => {
  let now = Date.now();
  const clock = Object.assign(new FakeClock(), { now: () => now });
  const still = await openStore({ kind: 'url', url: server.url }, { prefix: 'p:', clock });
  const session = await still.runIndex.join();
  const sign = async () => (await peer.runIndex.sessions()).find((known) => known.session === session)?.sign;
  const signs = [await sign()];
  for (const step of [0, 0, -60_000, 3_600_000]) {
    now += step;
    expect(await still.runIndex.beat(session)).toBe(true);
    signs.push(await sign());
  }
  expect(new Set(signs).size).toBe(5);
  await still.onApplicationShutdown();
});

it('a join whose reply was lost is one session', async () => {
  const proxy = await startRedisProxy(server.port);
  const remote = await open(proxy.url);
  try {
    const cut = proxy.loseReply({ containing: ['eval', 'p:nodes'] });
    const session = await remote.runIndex.join();
    expect(cut.fired).toBe(1);
    expect(await client.zrange('p:nodes', '0', '-1')).toEqual([session]);
  } finally {
    await remote.onApplicationShutdown();
    await proxy.stop();
  }
});

it('an entry at which the connection breaks is made again, and is there once it is said to be', async () => {
  const proxy = await startRedisProxy(server.port);
  const remote = await open(proxy.url);
  try {
    const session = await remote.runIndex.join();
    const key = someKey();
    const cut = proxy.cutBefore({ containing: ['evalsha', key] });
    await remote.runIndex.markRunning(session, key);
    expect(cut.fired).toBe(1);
    expect(await client.smembers(`p:run:${session}`)).toEqual([key]);
  } finally {
    await remote.onApplicationShutdown();
    await proxy.stop();
  }
});
