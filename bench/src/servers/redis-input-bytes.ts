import { Redis } from 'ioredis';

let client: Redis | undefined;

/** Bytes that Redis has received from all of its clients. */
export async function inputBytes(): Promise<number> {
  client ??= new Redis(process.env['BENCH_REDIS']!);
  const info = await client.info('stats');
  return Number(/total_net_input_bytes:(\d+)/.exec(info)?.[1]);
}
