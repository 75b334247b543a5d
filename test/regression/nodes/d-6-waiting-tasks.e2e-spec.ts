import { jest } from '@jest/globals';
import { BOUND_MS, LEASE_MS, NodeCluster } from './support/node-cluster.js';

// Far longer than it takes: other work may hold the machine up.
jest.setTimeout(30_000);

let cluster: NodeCluster;

beforeEach(() => {
  cluster = new NodeCluster();
});
afterEach(() => cluster.close());

describe('D-6: a task that only waited in the queue of a dead node is begun elsewhere', () => {
  it('50 of 50 that must not be repeated complete, and the one that had begun fails as interrupted', async () => {
    const a = await cluster.start('a', { maxRunning: 1 });
    await cluster.start('b');
    await cluster.advance(LEASE_MS + 3000);
    const [begun] = await cluster.begin(a, 'once', { ms: 600_000 });
    const waiting = await cluster.begin(a, 'once', { count: 50 });
    expect(cluster.executions).toHaveLength(1);
    a.cutOff();
    await cluster.advance(BOUND_MS + 5000);
    expect(await cluster.statuses(waiting)).toEqual({ completed: 50 });
    expect(await cluster.record(begun!)).toMatchObject({ status: 'failed', error: { message: 'Task interrupted' } });
  });

  it('one whose turn had come before its node died fails as interrupted: it may have begun', async () => {
    const a = await cluster.start('a', { maxRunning: 1 });
    await cluster.start('b');
    await cluster.advance(LEASE_MS + 3000);
    await cluster.begin(a, 'once', { ms: 1500 });
    const [next, last] = await cluster.begin(a, 'once', { count: 2, ms: 600_000 });
    await cluster.advance(1600);
    expect(cluster.executions).toHaveLength(2);
    a.cutOff();
    await cluster.advance(BOUND_MS);
    const ends = await Promise.all([next!, last!].map((id) => cluster.record(id)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['failed', 'working']);
    expect(cluster.executions).toHaveLength(3);
  });
});
