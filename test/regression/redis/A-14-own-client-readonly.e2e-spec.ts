import { infoOf, type RunningRedisPair, startRedisPair, startRedisProxy, until } from '@mocapi/redis-harness';
import { taskKeyOf } from '@mocapi/tasks';
import { openConnection, RedisTaskStore } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { Redis } from 'ioredis';

const QUIET = { log: () => undefined, warn: () => undefined };

let pair: RunningRedisPair;
beforeAll(async () => {
  pair = await startRedisPair();
}, 30_000);
afterAll(() => pair.stop());

describe("A-14: a client of the application's own outlives a failover", () => {
  it('a server that answers READONLY is left for the one that its address leads to now', async () => {
    const proxy = await startRedisProxy(pair.primary.port);
    // No reconnectOnError: nobody writes it.
    const client = new Redis(proxy.url);
    const store = new RedisTaskStore(
      await openConnection({ kind: 'client', client }, { connectTimeoutMs: 5000, commandTimeoutMs: 1000 }, QUIET),
      { prefix: 'p:', commandTimeoutMs: 500, retryForMs: 1000 },
    );
    try {
      const task = await store.create(sampleDraft());
      const key = taskKeyOf(task.principal, task.taskId, task.endpoint);
      const admin = pair.primary.client();
      await admin.call('FAILOVER', 'TO', '127.0.0.1', pair.replica.port, 'TIMEOUT', 10_000);
      await until('they have changed places', async () => (await infoOf(admin, 'replication')).get('role') === 'slave');
      proxy.retarget(pair.replica.port);
      const write = () => store.update(key, (record) => ({ ...record, statusMessage: 'after' }));
      const deadline = performance.now() + 5000;
      let written = await write().catch(() => undefined);
      while (!written && performance.now() < deadline) written = await write().catch(() => undefined);
      expect((await infoOf(admin, 'errorstats')).get('errorstat_READONLY')).toMatch(/count=[1-9]/);
      expect(written?.statusMessage).toBe('after');
    } finally {
      await store.onApplicationShutdown();
      client.disconnect();
      await proxy.stop();
    }
  }, 30_000);
});
