import { jest } from '@jest/globals';
import { type RedisProxy, redisUrl, startRedisProxy, until } from '@mocapi/redis-harness';
import { completed, takenOver, type TaskStore } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { countUp, freshPrefix, keyOf, openStore } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let proxy: RedisProxy;
let store: RedisTaskStore;
let peer: TaskStore & { onApplicationShutdown(): Promise<void> };

beforeEach(async () => {
  const prefix = freshPrefix();
  proxy = await startRedisProxy(Number(new URL(redisUrl()).port));
  store = await openStore({ kind: 'url', url: proxy.url }, { prefix, commandTimeoutMs: 300, retryForMs: 5000 });
  peer = await openStore({ kind: 'url', url: redisUrl() }, { prefix });
});
afterEach(async () => {
  await peer.onApplicationShutdown();
  await store.onApplicationShutdown();
  await proxy.stop();
});

it.each(['loseReply', 'cutBefore'] as const)('a create at which the connection breaks (%s) is made once', async (fault) => {
  const draft = sampleDraft();
  const cut = proxy[fault]({ containing: ['eval', keyOf(draft)] });
  const record = await store.create(draft);
  expect(cut.fired).toBe(1);
  expect(record.version).toBe(1);
  expect(await peer.get(keyOf(draft))).toEqual(record);
});

it.each(['loseReply', 'cutBefore'] as const)('an update at which the connection breaks (%s) is made once', async (fault) => {
  const key = keyOf(await store.create(sampleDraft()));
  const cut = proxy[fault]({ containing: ['eval', key] });
  const record = await store.update(key, countUp);
  expect(cut.fired).toBe(1);
  expect([record?.version, record?.statusMessage]).toEqual([2, '1']);
  expect(await peer.get(key)).toEqual(record);
});

it('a read at which the connection breaks is made again', async () => {
  const record = await store.create(sampleDraft());
  const cut = proxy.loseReply({ containing: ['\r\nget\r\n', keyOf(record)] });
  expect(await store.get(keyOf(record))).toEqual(record);
  expect(cut.fired).toBe(1);
});

it('a view at which the connection breaks is read again', async () => {
  const record = await store.create(sampleDraft());
  const cut = proxy.loseReply({ containing: ['getrange', keyOf(record)] });
  expect(await store.view(keyOf(record))).toMatchObject({ taskId: record.taskId, version: 1 });
  expect(cut.fired).toBe(1);
});

const entry = { key: 'step', kind: 'step', fingerprint: '', answered: true, response: 'done' } as const;

it.each(['loseReply', 'cutBefore'] as const)('a step at which the connection breaks (%s) is recorded once', async (fault) => {
  const record = await store.create(sampleDraft());
  const key = keyOf(record);
  const cut = proxy[fault]({ containing: ['eval', key] });
  expect(await store.recordEntry(key, record.run!, entry)).toBe(true);
  expect(cut.fired).toBe(1);
  expect(await peer.get(key)).toMatchObject({ version: 2, ledger: [entry] });
});

it('a step whose reply was lost, and behind which another node wrote, is recorded, and read once', async () => {
  const record = await store.create(sampleDraft());
  const key = keyOf(record);
  const cut = proxy.loseReply({ containing: ['eval', key] });
  const recorded = store.recordEntry(key, record.run!, entry);
  await until('the reply is lost', () => cut.fired === 1);
  const stall = proxy.stall();
  await peer.update(key, countUp);
  await until('it is sent again', () => stall.fired > 0);
  stall.end();
  expect(await recorded).toBe(true);
  expect(await peer.get(key)).toMatchObject({ statusMessage: '1', ledger: [entry] });
  expect(await store.update(key, (current) => current)).toMatchObject({ ledger: [entry] });
});

it('a step whose reply was lost, and whose task was then taken over, is recorded, and its run is told that it is over', async () => {
  const record = await store.create(sampleDraft());
  const key = keyOf(record);
  const cut = proxy.loseReply({ containing: ['eval', key] });
  const recorded = store.recordEntry(key, record.run!, entry);
  await until('the reply is lost', () => cut.fired === 1);
  const stall = proxy.stall();
  await peer.update(key, (current) => takenOver(current, record.run!, { owner: 'another', id: 'next' }));
  await until('it is sent again', () => stall.fired > 0);
  stall.end();
  expect(await recorded).toBe(false);
  expect(await peer.get(key)).toMatchObject({ run: { id: 'next' }, ledger: [entry] });
});

it('updates that time out while the network stands still are made once each when it goes on', async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, async () => keyOf(await store.create(sampleDraft()))));
  const stall = proxy.stall();
  const updates = keys.map((key) => store.update(key, countUp));
  // More requests than updates: each has been sent a second time.
  await until('commands are sent again', () => stall.fired >= 2 * keys.length);
  stall.end();
  const records = await Promise.all(updates);
  expect(records.map((record) => [record?.version, record?.statusMessage])).toEqual(keys.map(() => [2, '1']));
  expect(await Promise.all(keys.map((key) => peer.get(key)))).toEqual(records);
});

it('an update whose reply was lost, and on top of which another node wrote, resolves to the record as it then is', async () => {
  const key = keyOf(await store.create(sampleDraft()));
  const cut = proxy.loseReply({ containing: ['eval', key] });
  let mutations = 0;
  const claim = store.update(key, (record) => {
    mutations += 1;
    return record.run?.id === 'mine' ? record : { ...record, run: { owner: 'me', fence: record.version + 1, attempt: 1, id: 'mine' } };
  });
  await until('the reply is lost', () => cut.fired === 1);
  const stall = proxy.stall();
  await peer.update(key, countUp);
  await until('it is sent again', () => stall.fired > 0);
  stall.end();
  const record = await claim;
  expect([record?.run?.id, record?.statusMessage, record?.version]).toEqual(['mine', '1', 3]);
  expect(mutations).toBe(2);
});

it('the end of a task that is cut off again and again is stored once the network holds', async () => {
  const key = keyOf(await store.create(sampleDraft()));
  const cut = proxy.loseReply({ containing: ['eval', key], times: 3 });
  const record = await store.update(key, (current) => completed(current, { resultType: 'complete', content: [] }));
  expect(cut.fired).toBeGreaterThan(0);
  expect([record?.status, record?.version]).toEqual(['completed', 2]);
  cut.end();
});
