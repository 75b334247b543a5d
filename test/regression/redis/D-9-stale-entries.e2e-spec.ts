import { redisUrl, until } from '@mocapi/redis-harness';
import { newTaskId, taskKeyOf } from '@mocapi/tasks';
import { openConnection, RedisTaskStore } from '@mocapi/tasks-redis';
import { Redis } from 'ioredis';

const QUIET = { log: () => undefined, warn: () => undefined };

describe('D-9: entries of tasks that a node does not run are swept', () => {
  it('an entry whose write arrived after it was given up goes within some beats, and what runs stays', async () => {
    const prefix = `test:d9:${process.pid}:`;
    const redis = new Redis(redisUrl());
    const connection = await openConnection({ kind: 'url', url: redisUrl() }, { connectTimeoutMs: 5000, commandTimeoutMs: 2000 }, QUIET);
    const store = new RedisTaskStore(connection, { prefix });
    try {
      const session = await store.runIndex.join();
      const [runs, stale] = [taskKeyOf(undefined, newTaskId()), taskKeyOf(undefined, newTaskId())];
      await store.runIndex.markRunning(session, runs);
      expect(await redis.sadd(`${prefix}run:${session}`, stale)).toBe(1);
      for (let beat = 0; beat < 10; beat++) expect(await store.runIndex.beat(session)).toBe(true);
      const left = () => redis.smembers(`${prefix}run:${session}`);
      await until('it is swept', async () => (await left()).length === 1, 2000).catch(() => undefined);
      expect(await left()).toEqual([runs]);
      await store.runIndex.leave(session);
      await redis.del(`${prefix}nodes`, `${prefix}run:${session}`);
    } finally {
      await store.onApplicationShutdown();
      redis.disconnect();
    }
  });
});
