import { infoOf, type RedisProxy, type RedisServer, spawnRedisServer, startRedisProxy } from '@mocapi/redis-harness';
import type { Cleanup } from '../../support/cleanup.js';

/** A Redis for one fault alone. */
export async function startServer(cleanup: Cleanup, ...args: string[]): Promise<RedisServer> {
  return cleanup.add(await spawnRedisServer({ args }), (server) => server.stop());
}

/** A proxy in front of a Redis. */
export async function startProxy(cleanup: Cleanup, { port }: Pick<RedisServer, 'port'>): Promise<RedisProxy> {
  return cleanup.add(await startRedisProxy(port), (proxy) => proxy.stop());
}

/** How many commands a Redis has refused with an error of that name (`OOM`, `READONLY`), by its own count. */
export async function refusalsOf(server: RedisServer, name: string): Promise<number> {
  const counted = (await infoOf(server.client(), 'errorstats')).get(`errorstat_${name}`);
  return Number(/count=(\d+)/.exec(counted ?? '')?.[1] ?? 0);
}
