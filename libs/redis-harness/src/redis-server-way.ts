import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { RedisWay } from './redis-way.js';
import { spawnRedisServer } from './spawn-redis-server.js';

/** A `redis-server` of this machine: `$REDIS_SERVER_BIN`, else the first on the PATH. */
export function redisServerWay(env: NodeJS.ProcessEnv): RedisWay {
  return {
    name: 'redis-server',
    hint: 'install redis-server, or set REDIS_SERVER_BIN to its path',
    closedBecause: async () => {
      if (redisServerBinary(env)) return undefined;
      return env['REDIS_SERVER_BIN'] ? `${env['REDIS_SERVER_BIN']} can not be run` : 'not on the PATH';
    },
    start: async () => {
      const { url, stop } = await spawnRedisServer({ binary: redisServerBinary(env) });
      return { url, way: 'redis-server', stop };
    },
  };
}

/** The path of the `redis-server` to run, if there is one. */
export function redisServerBinary(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['REDIS_SERVER_BIN'];
  const candidates = named ? [named] : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server'));
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
