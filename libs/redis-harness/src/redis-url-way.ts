import { Redis } from 'ioredis';
import type { RedisWay } from './redis-way.js';

/** The Redis that `REDIS_URL` names: somebody else's, so it is never stopped. */
export function redisUrlWay(env: NodeJS.ProcessEnv): RedisWay {
  const url = env['REDIS_URL'];
  return {
    name: 'REDIS_URL',
    hint: 'set REDIS_URL to a running one',
    final: true,
    closedBecause: async () => (url ? undefined : 'not set'),
    start: async () => {
      await ping(url!);
      return { url: url!, way: 'REDIS_URL', stop: async () => {} };
    },
  };
}

async function ping(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, connectTimeout: 3000, maxRetriesPerRequest: 0, retryStrategy: () => null });
  // The commands reject with no more than "Connection is closed"; why it is, this event says.
  let reason = 'no answer';
  client.on('error', (error: Error) => (reason = error.message));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw new Error(`nothing answers there: ${reason}`, { cause: error });
  } finally {
    // On a connection that has ended, ioredis would wait 2 seconds for its end.
    if (client.status !== 'end') client.disconnect();
  }
}
