import { newTaskId, TaskQuotaError } from '@mocapi/tasks';
import type { RedisTaskStore } from '@mocapi/tasks-redis';
import { type RedisServer, spawnRedisServer } from '@mocapi/redis-harness';
import { sampleDraft } from '@mocapi/testing';
import type { Redis } from 'ioredis';
import { openStore } from '../support/open-store.js';

// Of its own: commands are counted.
let server: RedisServer;
let client: Redis;
let store: RedisTaskStore;

beforeAll(async () => {
  server = await spawnRedisServer();
  client = server.client();
});
afterEach(() => store.onApplicationShutdown());
afterAll(() => server.stop());

const drafts = (count: number, principal?: string) =>
  Array.from({ length: count }, () => {
    const { principal: _principal, ...draft } = sampleDraft();
    return { ...draft, taskId: newTaskId(), ...(principal === undefined ? {} : { principal: { id: principal } }) };
  });
const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? 'created' : (one.reason as Error).name));
const scriptsRun = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);

describe('tasks that are created at the same time', () => {
  it('are refused one by one: as many get in as their caller may have, and others do not suffer', async () => {
    store = await openStore({ kind: 'url', url: server.url }, { maxStoredPerPrincipal: 3 });
    const own = Promise.allSettled(drafts(5, 'alice').map((draft) => store.create(draft)));
    const foreign = Promise.allSettled(drafts(2, 'bob').map((draft) => store.create(draft)));
    expect(outcomes(await own)).toEqual(['created', 'created', 'created', 'TaskQuotaError', 'TaskQuotaError']);
    expect(outcomes(await foreign)).toEqual(['created', 'created']);
    await expect(store.create(drafts(1, 'alice')[0]!)).rejects.toThrow(TaskQuotaError);
  });

  it('are counted in one command', async () => {
    store = await openStore({ kind: 'url', url: server.url });
    // The scripts are known by then.
    await store.create(drafts(1)[0]!);
    const before = await scriptsRun();
    const created = await Promise.all(drafts(20).map((draft) => store.create(draft)));
    expect(created).toHaveLength(20);
    expect((await scriptsRun()) - before).toBe(21);
  });
});
