import { spawnNpmScript } from '../support/server-process.mjs';
import { expectNothingLeft, pidsOf, SCRIPT } from './demo-support.js';

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

  it('says how to have a Redis where there is none', async () => {
    const demo = spawnNpmScript(SCRIPT, { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(await demo.ended).toMatchObject({ code: 1 });
    expect(demo.output()).toMatch(/^This demo needs a Redis\. To have one, do one of these:\n {2}- set REDIS_URL to a running one /);
  }, 30_000);
});
