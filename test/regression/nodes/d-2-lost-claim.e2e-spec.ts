import { jest } from '@jest/globals';
import { accept, answerInput } from '@mocapi/testing';
import { turns } from '../../support/flow.js';
import { BOUND_MS, LEASE_MS, NodeCluster, type ClusterNode } from './support/node-cluster.js';

// Far longer than it takes: other work may hold the machine up.
jest.setTimeout(30_000);

let cluster: NodeCluster;
let a: ClusterNode;
let b: ClusterNode;
let taskId: string;

beforeEach(async () => {
  cluster = new NodeCluster();
  [a, b] = [await cluster.start('a'), await cluster.start('b')];
  await cluster.advance(LEASE_MS + 3000);
  [taskId] = (await cluster.begin(a, 'asking')) as [string];
  await cluster.until(async () => (await cluster.record(taskId)).status === 'input_required', 5000);
  await claimArrivesLate();
});
afterEach(() => cluster.close());

const yes = { sure: accept({ ok: true }) };

/** The claim by `tasks/update` on `a` arrives when `a` is dead and everything of it was forgotten. */
async function claimArrivesLate(): Promise<void> {
  const { store } = cluster;
  const update = store.update.bind(store);
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    store.update = async (key, mutate) => {
      resolve();
      store.update = update;
      await new Promise<void>((go) => (arrive = go));
      return update(key, mutate);
    };
  });
  void answerInput(a.client, { taskId }, yes).catch(() => undefined);
  await held;
  a.cutOff();
  await cluster.advance(2 * BOUND_MS);
  arrive();
  await turns(5);
  // The fault fired: it is at work under a node that is gone, and nobody has begun it.
  expect(await cluster.record(taskId)).toMatchObject({ status: 'working', run: { attempt: 1 } });
  await cluster.advance(3 * BOUND_MS);
  expect(cluster.executions).toHaveLength(0);
}

describe('D-2: a task that was claimed by a node that is gone finds another', () => {
  it('once it is read', async () => {
    expect((await b.client.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    await cluster.advance(BOUND_MS);
    expect(b.executions).toHaveLength(1);
    expect(await cluster.record(taskId)).toMatchObject({ status: 'completed' });
  });

  it('once its answer is repeated, which is acted on', async () => {
    const { error } = await answerInput(b.client, { taskId }, yes);
    expect(error).toBeUndefined();
    await cluster.advance(BOUND_MS);
    expect(b.executions).toHaveLength(1);
    expect(await cluster.record(taskId)).toMatchObject({ status: 'completed' });
  });
});
