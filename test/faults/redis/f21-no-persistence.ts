import { until } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { openTwoStores } from './support/open-store.js';
import { startServer } from './support/start-server.js';
import { StoreHistory } from './support/store-history.js';

/** Kills the Redis that keeps nothing. */
export const noPersistence: Fault = {
  id: 'F21',
  title: 'tasks of a Redis that kept nothing are unknown after it was killed, its nodes learn that they are not listed any more, and go on',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const tasks = scale === 'short' ? 50 : 5000;
  const server = await startServer(cleanup);
  const [store, other] = await openTwoStores(cleanup, server.url);
  const history = new StoreHistory();
  const session = await store.runIndex.join();
  const before = await Promise.all(Array.from({ length: tasks }, () => history.create(store)));
  const signal = await server.kill();
  await server.restart();
  const isBack = async (node: typeof store) =>
    await node.runIndex.sessions().then(
      () => true,
      () => false,
    );
  for (const node of [store, other]) await until('the node is connected again', () => isBack(node));
  const beat = await store.runIndex.beat(session);
  const reads = await Promise.all(before.map(({ key }) => history.read(other, key)));
  // `working` here, on the node that wrote it last: what it remembers must not count.
  const writes = await Promise.all(
    before.map(({ key }) => history.write(store, { key, mark: 'late' }, (record) => ({ ...record, statusMessage: 'late' }))),
  );
  const rejoined = await store.runIndex.join();
  const goesOn = (await history.create(store)).told === 'won' && (await store.runIndex.beat(rejoined));
  const unknown = [...reads, ...writes].filter(({ told }) => told === 'gone').length;
  return {
    injected: `SIGKILL of a Redis without persistence that holds ${tasks} tasks`,
    fired: signal === 'SIGKILL' ? evidence(before.filter(({ told }) => told === 'won').length, 'acknowledged tasks, then SIGKILL') : '',
    expected: 'every read and write of an earlier task finds it unknown, the beat says that the session is gone, a new one works',
    seen: `${unknown} of ${2 * tasks} found it unknown; beat ${beat}; ${goesOn ? 'goes on' : 'does not go on'}`,
    held: unknown === 2 * tasks && !beat && goesOn,
  };
}
