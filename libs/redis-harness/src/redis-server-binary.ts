import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NoRedisError } from './no-redis.error.js';
import type { RedisWay } from './redis-way.js';

/** How the way to a `redis-server` of this machine is called. */
export const REDIS_SERVER: Pick<RedisWay, 'name' | 'hint'> = {
  name: 'redis-server',
  hint: 'install redis-server, or set REDIS_SERVER_BIN to its path',
};

/** The path of the `redis-server` to run, if there is one: `$REDIS_SERVER_BIN`, else the first on the PATH. */
export function redisServerBinary(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['REDIS_SERVER_BIN'];
  const candidates = named ? [named] : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server'));
  return candidates.find(isExecutable);
}

/** Why there is none to run; undefined when there is one. */
export function whyNoRedisServer(env: NodeJS.ProcessEnv): string | undefined {
  if (redisServerBinary(env)) return undefined;
  return env['REDIS_SERVER_BIN'] ? `${env['REDIS_SERVER_BIN']} can not be run` : 'not on the PATH';
}

/**
 * The path of the `redis-server` to run.
 * @throws NoRedisError where there is none
 */
export function neededRedisServerBinary(env: NodeJS.ProcessEnv = process.env): string {
  const binary = redisServerBinary(env);
  if (binary === undefined) throw new NoRedisError([{ way: REDIS_SERVER, reason: whyNoRedisServer(env)! }]);
  return binary;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
