import { redisUrl, until } from '@mocapi/redis-harness';
import { RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { connect, freshPrefix, keyOf } from '../support/open-store.js';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length;
const listeners = (client: { eventNames(): (string | symbol)[]; listenerCount(name: string | symbol): number }) =>
  client.eventNames().reduce((sum, name) => sum + client.listenerCount(name), 0);

it('at the end of the application the store writes what it has yet to write, closes its connection, and leaves no listener and no timer', async () => {
  const prefix = freshPrefix();
  const onlooker = new Redis(redisUrl());
  const connection = await connect({ kind: 'url', url: redisUrl() });
  const { commands, subscriber } = connection;
  const before = { timers: timers(), listeners: [listeners(commands), listeners(subscriber)] };
  const store = new RedisTaskStore({ ...connection, close: async () => undefined }, { prefix, commandTimeoutMs: 600_000 });
  const session = await store.runIndex.join({ stopped: () => undefined, orphaned: () => undefined });
  const key = keyOf(await store.create(sampleDraft()));
  const heard: number[] = [];
  store.changeFeed.watch(key, (version) => heard.push(version));
  await until('it hears', () => heard.length > 0);
  await store.runIndex.markRunning(session, key);
  await store.runIndex.unmark(session, key);
  await store.onApplicationShutdown();
  expect(await onlooker.exists(`${prefix}run:${session}`)).toBe(0);
  expect([listeners(commands), listeners(subscriber)]).toEqual(before.listeners);
  await until('its timers are gone', () => timers() <= before.timers, 5000);
  await expect(store.get(key)).rejects.toHaveProperty('name', 'TaskStoreUnavailableError');
  store.changeFeed.watch(key, () => undefined)();
  await connection.close();
  await onlooker.quit();
});

it('closes the connection that it was given', async () => {
  const connection = await connect({ kind: 'url', url: redisUrl() });
  const store = new RedisTaskStore(connection, { prefix: freshPrefix() });
  await store.create(sampleDraft({ ttlMs: 1000 }));
  await store.onApplicationShutdown();
  await until(
    'both clients have ended',
    () => connection.commands.status === 'end' && ['end', 'wait'].includes(connection.subscriber.status),
  );
});
