import { startRedisCluster } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { freshPrefix, openTwoStores } from './support/open-store.js';
import { refusalsOf } from './support/start-server.js';
import { StoreWorkload } from './support/store-workload.js';

const SCALES = { short: { moves: 3, callsBetween: 100 }, long: { moves: 12, callsBetween: 1000 } } as const;

/** The slot in which all tasks are moves from node to node of a cluster, below writers that go on. */
export const slotMigration: Fault = {
  id: 'F30',
  title: 'a slot that moves from node to node under load loses and doubles nothing, and no caller is told of it',
  limitMs: { short: 60_000 },
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const { moves, callsBetween } = SCALES[scale];
  const cluster = cleanup.add(await startRedisCluster(), (it) => it.stop());
  // What is in braces alone decides on the slot.
  const prefix = `{${freshPrefix()}}:`;
  const source = { kind: 'cluster', nodes: cluster.nodes, options: {} } as const;
  const stores = await openTwoStores(cleanup, source, { prefix });
  const workload = StoreWorkload.start(cleanup, { stores, tasks: 10, writersPerStore: 4 });
  let moved = 0;
  for (let round = 0; round < moves; round++) {
    await workload.more(callsBetween);
    const { slot, node } = await cluster.slotOf(prefix);
    moved += await cluster.moveSlot(slot, (node + 1) % cluster.nodes.length);
  }
  await workload.more(callsBetween);
  const refusals = async (name: string) =>
    (await Promise.all(cluster.servers.map((server) => refusalsOf(server, name)))).reduce((sum, count) => sum + count);
  const [redirected, asked, again] = [await refusals('MOVED'), await refusals('ASK'), await refusals('TRYAGAIN')];
  const verdict = await judgeHistory(await workload.stop(), stores[1]);
  return {
    injected: `${moves} moves of the slot under 8 writers`,
    fired: redirected + asked > 0 ? evidence(moved, `keys moved, ${redirected} MOVED and ${asked} ASK counted by the nodes`) : '',
    expected: 'all acknowledged, 0 lost, 0 doubled, no TRYAGAIN',
    seen: `${wordsOf(verdict)}; ${again} TRYAGAIN`,
    held: isSound(verdict) && verdict.unknown === 0 && again === 0,
  };
}
