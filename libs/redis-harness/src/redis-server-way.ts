import { REDIS_SERVER, redisServerBinary, whyNoRedisServer } from './redis-server-binary.js';
import type { RedisWay } from './redis-way.js';
import { spawnRedisServer } from './spawn-redis-server.js';

/** A `redis-server` of this machine: `$REDIS_SERVER_BIN`, else the first on the PATH. */
export function redisServerWay(env: NodeJS.ProcessEnv): RedisWay {
  return {
    ...REDIS_SERVER,
    closedBecause: async () => whyNoRedisServer(env),
    start: async () => {
      const { url, stop } = await spawnRedisServer({ binary: redisServerBinary(env) });
      return { url, way: 'redis-server', stop };
    },
  };
}
