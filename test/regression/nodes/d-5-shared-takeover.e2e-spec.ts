import { jest } from '@jest/globals';
import { BOUND_MS, LEASE_MS, NodeCluster } from './support/node-cluster.js';

// Far longer than it takes: other work may hold the machine up.
jest.setTimeout(30_000);

let cluster: NodeCluster;

beforeEach(() => {
  cluster = new NodeCluster();
});
afterEach(() => cluster.close());

describe('D-5: survivors share what a dead node ran', () => {
  it('200 tasks of a dead node go to four survivors alike, and are done in about a fourth of the time', async () => {
    const dying = await cluster.start('dying');
    const survivors = [];
    for (const name of ['a', 'b', 'c', 'd']) survivors.push(await cluster.start(name, { maxRunning: 10 }));
    await cluster.advance(LEASE_MS + 3000);
    const ids = await cluster.begin(dying, 'repeatable', { count: 200 });
    dying.cutOff();
    const took = await cluster.until(async () => (await cluster.statuses(ids)).completed === 200, 100_000);
    const shares = survivors.map(({ executions }) => executions.length);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(200);
    for (const share of shares) expect([share >= 30, shares]).toEqual([true, shares]);
    // Five rounds of 40 at once; 20 rounds on one node would take 30 s.
    expect(took).toBeLessThanOrEqual(BOUND_MS + 16_000);
  });
});
