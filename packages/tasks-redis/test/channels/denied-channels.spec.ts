import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { createAclUser, type RedisServer, spawnRedisServer, until } from '@mocapi/redis-harness';
import { newTaskId, taskKeyOf } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { countUp, keyOf, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let server: RedisServer;
let store: RedisTaskStore;
let user: string;
let warn: jest.SpiedFunction<Logger['warn']>;

failOnUnhandledRejections();
beforeAll(async () => {
  server = await spawnRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const url = await createAclUser(server.client(), server.url, ['~*', '&*', '+@all']);
  user = new URL(url).username;
  store = await openStore({ kind: 'url', url });
});
afterEach(async () => {
  await store.onApplicationShutdown();
  jest.restoreAllMocks();
});

const change = (...rules: string[]) => server.client().call('ACL', 'SETUSER', user, ...rules);
const denied = () => warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('Could not subscribe to channels'));
const subscribers = async () => Number(/pubsub_channels:(\d+)/.exec(await server.client().info('stats'))?.[1]);

it('a node that may use its channels no more goes on, says so once, and hears again when it may', async () => {
  const stopped: string[] = [];
  const session = await store.runIndex.join({ stopped: (key) => stopped.push(key), orphaned: () => undefined });
  await until('it hears', async () => (await subscribers()) > 0);
  // A user that loses a channel loses the connections that listen to it.
  await change('resetchannels');
  await until('it was denied', () => denied().length > 0);
  const tries = async () => Number(/cmdstat_subscribe:.*rejected_calls=(\d+)/.exec(await server.client().info('commandstats'))?.[1] ?? 0);
  const before = await tries();
  await until('it tried twice more', async () => (await tries()) >= before + 2);
  expect(denied()).toHaveLength(1);
  await change('allchannels');
  const key = taskKeyOf(undefined, newTaskId());
  await until('it hears again', async () => {
    await store.runIndex.tellStopped(session, key);
    return stopped.includes(key);
  });
});

it('a change that may not be announced is made, and said to be made', async () => {
  const record = await store.create(sampleDraft());
  await change('resetchannels');
  expect(await store.update(keyOf(record), countUp)).toMatchObject({ version: 2, statusMessage: '1' });
  expect(await store.get(keyOf(record))).toMatchObject({ version: 2, statusMessage: '1' });
});

it('a node that may not announce that it leaves has left', async () => {
  const session = await store.runIndex.join();
  await change('resetchannels');
  await store.runIndex.leave(session);
  expect(await store.runIndex.sessions()).toEqual([{ session, sign: undefined }]);
});
