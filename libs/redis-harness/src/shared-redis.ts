import { startRedis } from './start-redis.js';
import type { RedisWay, RunningRedis } from './redis-way.js';

const URL_VARIABLE = 'MOCAPI_TEST_REDIS_URL';
const ERROR_VARIABLE = 'MOCAPI_TEST_REDIS_ERROR';

/**
 * For the test run's set-up: starts the one Redis that all specs share and records its address where {@link redisUrl} finds it, in the
 * environment that the test workers inherit. Where there is none it records why, and only the specs that ask for it fail.
 */
export async function startSharedRedis(
  ways?: readonly RedisWay[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningRedis | undefined> {
  delete env[URL_VARIABLE];
  delete env[ERROR_VARIABLE];
  try {
    const redis = await startRedis(ways);
    env[URL_VARIABLE] = redis.url;
    return redis;
  } catch (error) {
    env[ERROR_VARIABLE] = error instanceof Error ? error.message : String(error);
    return undefined;
  }
}

/** For specs: the address of the Redis that this test run shares. Throws, naming the ways to have one, where there is none. */
export function redisUrl(env: NodeJS.ProcessEnv = process.env): string {
  const url = env[URL_VARIABLE];
  if (url) return url;
  throw new Error(env[ERROR_VARIABLE] ?? 'No Redis was started: run the specs with jest.config.mjs, whose global set-up starts one.');
}
