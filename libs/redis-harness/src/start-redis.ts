import { dockerWay } from './docker-way.js';
import { NoRedisError, type ClosedWay } from './no-redis.error.js';
import { redisServerWay } from './redis-server-way.js';
import { redisUrlWay } from './redis-url-way.js';
import type { RedisWay, RunningRedis } from './redis-way.js';

/** The ways to a Redis, in the order in which they are tried: `REDIS_URL`, Docker, a `redis-server` on this machine. */
export function redisWays(env: NodeJS.ProcessEnv = process.env): RedisWay[] {
  return [redisUrlWay(env), dockerWay(env), redisServerWay(env)];
}

/** Starts a Redis the first way that works, or rejects with a {@link NoRedisError} that names them all. */
export async function startRedis(ways: readonly RedisWay[] = redisWays()): Promise<RunningRedis> {
  const closed: ClosedWay[] = [];
  for (const way of ways) {
    const reason = await way.closedBecause();
    if (reason !== undefined) {
      closed.push({ way, reason });
      continue;
    }
    try {
      return await way.start();
    } catch (error) {
      closed.push({ way, reason: error instanceof Error ? error.message : String(error) });
      if (way.final) break;
    }
  }
  throw new NoRedisError(closed);
}

/** Is any way open? Asks without starting one. */
export async function hasRedis(ways: readonly RedisWay[] = redisWays()): Promise<boolean> {
  for (const way of ways) if ((await way.closedBecause()) === undefined) return true;
  return false;
}
