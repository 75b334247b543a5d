import { jest } from '@jest/globals';
import { FakeClock } from '@mocapi/testing';
import { LEASE_MS, NodeCluster } from './support/node-cluster.js';

// Far longer than it takes: other work may hold the machine up.
jest.setTimeout(30_000);

let cluster: NodeCluster;

afterEach(() => cluster.close());

describe('D-7: whether a node lives is judged by the own elapsed time of who judges', () => {
  it('a clock of the store that steps forward by more than a lease robs nobody', async () => {
    const storeClock = new FakeClock();
    cluster = new NodeCluster(storeClock);
    const nodes = [await cluster.start('a'), await cluster.start('b'), await cluster.start('c')];
    await cluster.advance(LEASE_MS + 3000);
    const ids = [];
    for (const node of nodes) ids.push(...(await cluster.begin(node, 'once', { count: 10, ms: 60_000 })));
    const before = storeClock.now();
    await storeClock.advance(LEASE_MS + 1000);
    expect(storeClock.now() - before).toBeGreaterThan(LEASE_MS);
    await cluster.advance(40_000);
    expect(await cluster.statuses(ids)).toEqual({ working: 30 });
    await cluster.advance(30_000);
    expect(await cluster.statuses(ids)).toEqual({ completed: 30 });
    expect(cluster.executions).toHaveLength(30);
  });

  it('a survivor whose link breaks for 1.3 s in each lease still takes over', async () => {
    cluster = new NodeCluster();
    const lease = 3000;
    const [a, b] = [await cluster.start('a', {}, lease), await cluster.start('b', {}, lease)];
    let broken = 0;
    const breaks = async (leases: number): Promise<void> => {
      for (let left = leases; left > 0; left--) {
        await cluster.advance(lease - 1300);
        b.cutOff();
        broken += 1;
        await cluster.advance(1300);
        b.wake();
      }
    };
    const index = b.store.runIndex!;
    const beat = index.beat.bind(index);
    // A command that does not come through fails, as it does in a store with a time limit.
    let isCut = false;
    index.beat = (session) => (isCut ? Promise.reject(new Error('no link')) : beat(session));
    b.cutOff = () => void (isCut = true);
    b.wake = () => void (isCut = false);
    await breaks(2);
    const [taskId] = await cluster.begin(a, 'repeatable', { ms: 60_000 });
    a.cutOff();
    await breaks(6);
    expect(broken).toBe(8);
    expect(b.executions).toHaveLength(1);
    expect(await cluster.record(taskId!)).toMatchObject({ run: { attempt: 2 } });
  });
});
