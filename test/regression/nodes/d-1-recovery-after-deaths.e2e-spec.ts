import { jest } from '@jest/globals';
import { BOUND_MS, LEASE_MS, NodeCluster, type ClusterNode } from './support/node-cluster.js';

// Far longer than it takes: other work may hold the machine up.
jest.setTimeout(30_000);

let cluster: NodeCluster;

beforeEach(() => {
  cluster = new NodeCluster();
});
afterEach(() => cluster.close());

/** Two nodes die one after the other, each while it runs what it can; the third is left. */
async function twoDeaths(count: number, ms: number): Promise<{ ids: string[]; last: ClusterNode; begunBefore: number }> {
  const [a, b] = [await cluster.start('a'), await cluster.start('b')];
  await cluster.advance(LEASE_MS + 3000);
  const ids = await cluster.begin(a, 'repeatable', { count, ms });
  expect(a.executions).toHaveLength(64);
  a.cutOff();
  expect(await cluster.until(() => b.executions.length >= 64, BOUND_MS)).toBeLessThanOrEqual(BOUND_MS);
  const last = await cluster.start('c');
  b.cutOff();
  return { ids, last, begunBefore: cluster.executions.length };
}

describe('D-1: two deaths of nodes do not hold up what was only near them', () => {
  it('101 tasks of 1.5 s are all completed within lease, two beats and a few times their own time', async () => {
    const { ids, last } = await twoDeaths(101, 1500);
    const took = await cluster.until(async () => (await cluster.statuses(ids)).completed === 101, 40_000);
    expect(last.executions).toHaveLength(101);
    expect(took).toBeLessThanOrEqual(BOUND_MS + 10_000);
  });

  it('bodies that are longer than the lease do not hold the next ones for a lease each', async () => {
    const { last } = await twoDeaths(101, 600_000);
    await cluster.advance(BOUND_MS + LEASE_MS + 1000);
    expect(last.executions).toHaveLength(64);
  });

  it('a task that never began is not suspected, however many nodes die', async () => {
    let node = await cluster.start('n0', { maxRunning: 1 });
    await cluster.begin(node, 'repeatable', { ms: 600_000 });
    const [waiting] = await cluster.begin(node, 'repeatable', { ms: 600_000 });
    for (let death = 1; death <= 4; death++) {
      const heir = await cluster.start(`n${death}`, { maxRunning: 1 });
      node.cutOff();
      // One more that waits, in the place that the heir has.
      await cluster.begin(heir, 'repeatable', { ms: 600_000 });
      await cluster.advance(2 * BOUND_MS);
      node = heir;
    }
    expect(await cluster.record(waiting!)).toMatchObject({ status: 'working', run: { attempt: 1 } });
  });
});
