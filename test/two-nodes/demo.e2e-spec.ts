import { until } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { sh } from '../support/sh.mjs';
import { spawnNpmScript, startNpmScript } from '../support/server-process.mjs';

const SCRIPT = 'demo:two-nodes';

/** The processes of the nodes, by their names. */
function pidsOf(output: string): Record<string, number> {
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
async function expectNothingLeft(output: string): Promise<void> {
  const pids = Object.values(pidsOf(output));
  expect(pids).toHaveLength(2);
  expect(pids.filter(lives)).toEqual([]);
  expect(await redisIsLeft(output)).toBe(false);
}

describe('npm run demo:two-nodes', () => {
  it('kills the node that runs a task, shows the other one finish it, ends with 0 and leaves nothing behind', async () => {
    const demo = spawnNpmScript(SCRIPT);
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    const output = demo.output();
    const [, pid, killed] = / demo +kill -9 (\d+): (node-[ab]) runs the task/.exec(output)!;
    expect(Number(pid)).toBe(pidsOf(output)[killed!]);
    expect(output).toContain(`${killed} is dead (SIGKILL)`);
    const survivor = killed === 'node-a' ? 'node-b' : 'node-a';
    const after = output.slice(output.indexOf('is dead (SIGKILL)'));
    expect(after).toMatch(new RegExp(`^ *[\\d.]+ s {2}${survivor} {2}takes over relay$`, 'm'));
    expect(after).toContain(`tasks/get: completed, "8/8: lap 8 run by ${survivor}" (answered by ${survivor})`);
    const laps = / every lap recorded once: (.*)$/m.exec(output)![1]!.split(' ');
    expect(laps).toHaveLength(8);
    const handover = laps.indexOf(survivor);
    expect(handover).toBeGreaterThanOrEqual(3);
    expect(laps).toEqual([...Array<string>(handover).fill(killed!), ...Array<string>(8 - handover).fill(survivor)]);
    await expectNothingLeft(output);
  }, 90_000);

  it('ends everything when it is interrupted in the middle', async () => {
    const demo = spawnNpmScript(SCRIPT);
    let isOver = false;
    void demo.ended.then(() => (isOver = true));
    await until('the task runs', () => isOver || demo.output().includes('lap 1 run by'), 60_000);
    expect(demo.output()).toContain('lap 1 run by');
    await demo.stop('SIGINT');
    expect(demo.output()).not.toContain('kill -9');
    await expectNothingLeft(demo.output());
  }, 90_000);

  it('stays up with --keep, with both nodes behind a proxy for the lines that it prints', async () => {
    const demo = await startNpmScript(SCRIPT, { args: ['--keep'] });
    const [where] = demo.output().match(/^curl .*$/gm) ?? [];
    const nodes = new Set<string>();
    for (let call = 0; call < 4; call++) {
      const { result } = JSON.parse(await sh(where!)) as { result: { structuredContent: { node: string } } };
      nodes.add(result.structuredContent.node);
    }
    expect([...nodes].toSorted()).toEqual(['node-a', 'node-b']);
    await demo.stop('SIGINT');
    await expectNothingLeft(demo.output());
  }, 90_000);

  it('says how to have a Redis where there is none', async () => {
    const demo = spawnNpmScript(SCRIPT, { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(await demo.ended).toMatchObject({ code: 1 });
    expect(demo.output()).toMatch(/^This demo needs a Redis\. To have one, do one of these:\n {2}- set REDIS_URL to a running one /);
  }, 30_000);
});
