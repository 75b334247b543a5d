import type { Redis } from 'ioredis';

/** A section of Redis' INFO as a map: `master_link_status` to `up`. */
export async function infoOf(client: Redis, section: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await client.info(section)).split('\r\n');
  return new Map(
    lines.filter((line) => line.includes(':')).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}
