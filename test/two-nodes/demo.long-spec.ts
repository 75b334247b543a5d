import { until } from '@mocapi/redis-harness';
import { sh } from '../support/sh.mjs';
import { spawnNpmScript, startNpmScript } from '../support/server-process.mjs';
import { expectNothingLeft, SCRIPT } from './demo-support.js';

describe('npm run demo:two-nodes, at length', () => {
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
});
