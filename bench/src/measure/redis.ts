import { spawnRedisServer } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import type { RedisCpu } from './cell.js';

/** A Redis of the benchmark's own. */
export interface BenchRedis {
  readonly client: Redis;
  readonly cpu: RedisCpu;
  stop(): Promise<void>;
}

/** Starts one with nothing saved and lets every process that is started from now on know where it is. @throws where there is no redis-server */
export async function startBenchRedis(): Promise<BenchRedis> {
  const server = await spawnRedisServer();
  process.env['BENCH_REDIS'] = server.url;
  const client = new Redis(server.url);
  return {
    client,
    cpu: () => cpuOf(client),
    stop: async () => {
      client.disconnect();
      await server.stop();
    },
  };
}

/** User and system time together, in microseconds. */
async function cpuOf(client: Redis): Promise<number> {
  const info = await client.info('cpu');
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
}
