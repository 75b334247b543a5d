import { Redis } from 'ioredis';

export const SCRIPT = 'demo:two-nodes';

/** The processes of the nodes, by their names. */
export function pidsOf(output: string): Record<string, number> {
  const nodes = output.matchAll(/^ *[\d.]+ s {2}(node-\w) +listens on \S+, pid (\d+)/gm);
  return Object.fromEntries([...nodes].map(([, name, pid]) => [name, Number(pid)]));
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the Redis of the demo answers; one that it was given is not its to end. */
async function redisIsLeft(output: string): Promise<boolean> {
  const [, url, way] = / answers at (\S+) \((\S+)\)$/m.exec(output)!;
  if (way === 'REDIS_URL') return false;
  const redis = new Redis(url!, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  return redis.connect().then(
    () => (redis.disconnect(), true),
    () => false,
  );
}

/** The script has waited for whatever it ended: there is nothing to wait for. */
export async function expectNothingLeft(output: string): Promise<void> {
  const pids = Object.values(pidsOf(output));
  expect(pids).toHaveLength(2);
  expect(pids.filter(lives)).toEqual([]);
  expect(await redisIsLeft(output)).toBe(false);
}
