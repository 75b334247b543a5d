import { infoOf, startRedisPair, until } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { openTwoStores } from './support/open-store.js';
import { refusalsOf, startProxy } from './support/start-server.js';
import { StoreWorkload } from './support/store-workload.js';

/** A client that meets a replica connects anew, at first after some 50 ms, and up to 2 seconds later where it met it again. */
const CHANGED_WITHIN_MS = 3000;
const CALLS = { short: 200, long: 3000 } as const;

/** Primary and replica change places, and the connections to the one that was the primary stay. */
export const demotion: Fault = {
  id: 'F29',
  title: 'a primary that becomes a replica is left for the new one: callers are told to come back until then, and nothing is lost',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const pair = cleanup.add(await startRedisPair(), (it) => it.stop());
  const proxy = await startProxy(cleanup, pair.primary);
  const stores = await openTwoStores(cleanup, proxy.url);
  const workload = StoreWorkload.start(cleanup, { stores, tasks: 10, writersPerStore: 4 });
  await workload.more(CALLS[scale]);
  const admin = pair.primary.client();
  const beganAt = performance.now();
  await admin.call('FAILOVER', 'TO', '127.0.0.1', pair.replica.port, 'TIMEOUT', 10_000);
  await until('they have changed places', async () => (await infoOf(admin, 'replication')).get('role') === 'slave');
  proxy.retarget(pair.replica.port);
  await workload.more(CALLS[scale]);
  const refusals = await refusalsOf(pair.primary, 'READONLY');
  const { calls } = workload.history;
  const lastRefusedMs = Math.round(
    Math.max(0, ...calls.filter(({ told }) => told === 'unknown').map((call) => call.beganAt + call.tookMs - beganAt)),
  );
  const verdict = await judgeHistory(await workload.stop(), stores[1]);
  return {
    injected: 'FAILOVER under 8 writers, whose connections stay with the demoted server',
    fired: evidence(refusals, 'READONLY errors counted by the demoted server'),
    expected: `0 lost, 0 doubled, nobody refused any more after ${CHANGED_WITHIN_MS} ms`,
    seen: `${wordsOf(verdict)}; the last refused after ${lastRefusedMs} ms`,
    held: isSound(verdict) && lastRefusedMs <= CHANGED_WITHIN_MS,
  };
}
