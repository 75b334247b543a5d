import { jest } from '@jest/globals';
import { type RedisProxy, redisUrl, startRedisProxy, until } from '@mocapi/redis-harness';
import { newTaskId, type TaskKey, taskKeyOf } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { freshPrefix, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let proxy: RedisProxy;
let store: RedisTaskStore;
let peer: RedisTaskStore;

beforeEach(async () => {
  const prefix = freshPrefix();
  proxy = await startRedisProxy(Number(new URL(redisUrl()).port));
  store = await openStore({ kind: 'url', url: proxy.url }, { prefix });
  peer = await openStore({ kind: 'url', url: redisUrl() }, { prefix });
});
afterEach(async () => {
  await store.onApplicationShutdown();
  await peer.onApplicationShutdown();
  await proxy.stop();
});

const someKey = () => taskKeyOf(undefined, newTaskId());

/** What a session hears of. */
function hearing() {
  const stopped: TaskKey[] = [];
  const heard = { stopped, orphaned: 0 };
  return { heard, listener: { stopped: (key: TaskKey) => void stopped.push(key), orphaned: () => void (heard.orphaned += 1) } };
}

/** A session of `store` that is known to hear. */
async function joined() {
  const { heard, listener } = hearing();
  const session = await store.runIndex.join(listener);
  const probe = someKey();
  await until('the session hears', async () => {
    await peer.runIndex.tellStopped(session, probe);
    return heard.stopped.length > 0;
  });
  // What was said before it heard for the first time may come still.
  const last = someKey();
  await peer.runIndex.tellStopped(session, last);
  await until('it has heard all', () => heard.stopped.at(-1) === last);
  heard.stopped.length = 0;
  return { session, heard };
}

it('a node is told of a task by any other, under its own session alone', async () => {
  const [mine, other] = [await joined(), await joined()];
  const key = someKey();
  await peer.runIndex.tellStopped(mine.session, key);
  await until('it is told', () => mine.heard.stopped.length > 0);
  expect([mine.heard.stopped, other.heard.stopped]).toEqual([[key], []]);
});

it('every other node is told when one leaves, and who left is told nothing more', async () => {
  const mine = await joined();
  const { heard, listener } = hearing();
  const session = await peer.runIndex.join(listener);
  await store.runIndex.tellStopped(session, someKey());
  await peer.runIndex.leave(session);
  await until('it is told', () => mine.heard.orphaned > 0);
  const before = heard.stopped.length;
  await peer.runIndex.tellStopped(session, someKey());
  const [key, own] = [someKey(), await joined()];
  await peer.runIndex.tellStopped(own.session, key);
  await until('a later word has come', () => own.heard.stopped.length > 0);
  expect([heard.orphaned, heard.stopped.length]).toEqual([0, before]);
});

it('a session that was taken for dead and dropped hears nothing more from the beat on that says so', async () => {
  const { session, heard } = await joined();
  await peer.runIndex.drop(session);
  expect(await store.runIndex.beat(session)).toBe(false);
  const other = await joined();
  await peer.runIndex.tellStopped(session, someKey());
  const key = someKey();
  await peer.runIndex.tellStopped(other.session, key);
  await until('a later word has come', () => other.heard.stopped.includes(key));
  expect(heard.stopped).toEqual([]);
});

it('whoever lost its connection looks after the others and its own tasks once it hears again, for it may have missed something', async () => {
  const { session, heard } = await joined();
  const [key, done] = [someKey(), someKey()];
  for (const each of [key, done]) await store.runIndex.markRunning(session, each);
  await store.runIndex.unmark(session, done);
  expect(proxy.dropSubscribers()).toBe(1);
  await until('it is told of both', () => heard.orphaned > 0 && heard.stopped.length > 0);
  expect(heard.stopped).toEqual([key]);
});

it('to tell a node fails for nobody, whether there is one or Redis is away', async () => {
  await expect(store.runIndex.tellStopped('nobody', someKey())).resolves.toBeUndefined();
  await store.onApplicationShutdown();
  await expect(store.runIndex.tellStopped('nobody', someKey())).resolves.toBeUndefined();
});
