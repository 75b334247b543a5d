import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { openTwoStores } from './support/open-store.js';
import { refusalsOf, startServer } from './support/start-server.js';
import { StoreWorkload } from './support/store-workload.js';

const SCALES = { short: { flushes: 5, callsBetween: 50 }, long: { flushes: 50, callsBetween: 200 } } as const;

/** Redis forgets all scripts, as a new server does. */
export const scriptFlush: Fault = {
  id: 'F31',
  title: 'no caller notices that Redis forgets all scripts',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const { flushes, callsBetween } = SCALES[scale];
  const server = await startServer(cleanup);
  const stores = await openTwoStores(cleanup, server.url);
  const workload = StoreWorkload.start(cleanup, { stores, tasks: 10, writersPerStore: 8 });
  const admin = server.client();
  await workload.more(callsBetween);
  const before = await refusalsOf(server, 'NOSCRIPT');
  for (let round = 0; round < flushes; round++) {
    await admin.script('FLUSH');
    await workload.more(callsBetween);
  }
  const unknown = (await refusalsOf(server, 'NOSCRIPT')) - before;
  const verdict = await judgeHistory(await workload.stop(), stores[1]);
  return {
    injected: `${flushes} SCRIPT FLUSH under 16 writers`,
    fired: evidence(unknown, 'NOSCRIPT errors counted by Redis since the first'),
    expected: 'all acknowledged, 0 lost, 0 doubled',
    seen: wordsOf(verdict),
    held: isSound(verdict) && verdict.unknown === 0,
  };
}
