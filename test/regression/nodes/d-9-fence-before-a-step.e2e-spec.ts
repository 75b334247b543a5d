import { jest } from '@jest/globals';
import { deferred, turns } from '../../support/flow.js';
import { BOUND_MS, LEASE_MS, NodeCluster } from './support/node-cluster.js';

// Far longer than it takes: other work may hold the machine up.
jest.setTimeout(30_000);

let cluster: NodeCluster;

beforeEach(() => {
  cluster = new NodeCluster();
});
afterEach(() => cluster.close());

describe('D-9: a node that stood still begins no step that another has recorded', () => {
  it('the step is done once, and the late body is told that its lease is lost', async () => {
    const [a, b] = [await cluster.start('a'), await cluster.start('b')];
    await cluster.advance(LEASE_MS + 3000);
    const goOn = deferred();
    cluster.gates.set('a', goOn.promise);
    const [taskId] = await cluster.begin(a, 'charging', { ms: 60_000 });
    expect(a.executions).toHaveLength(1);
    a.cutOff();
    await cluster.advance(BOUND_MS);
    expect([b.executions.length, cluster.charged]).toEqual([1, ['b']]);
    expect((await cluster.record(taskId!)).ledger).toHaveLength(1);
    goOn.resolve();
    a.wake();
    await turns(20);
    expect(cluster.charged).toEqual(['b']);
    expect(a.executions[0]!.signal.reason).toBe('lease-lost');
  });
});
