import { infoOf, type RunningRedisPair, startRedisPair, until } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf, type HistoryVerdict } from './support/judge-history.js';
import { openTwoStores } from './support/open-store.js';
import { refusalsOf, startProxy } from './support/start-server.js';
import { StoreWorkload } from './support/store-workload.js';

const CALLS = { short: 100, long: 1000 } as const;
const MAX_LAG_S = 1;
/** The replica reports once a second, and the primary looks once a second: only then it notices that a report is late. */
const NOTICED_AFTER_MS = (MAX_LAG_S + 2) * 1000;

/** A way for a primary to lose its replica before it dies, and what then becomes of writes. */
interface Failover {
  readonly id: string;
  readonly title: string;
  readonly expected: string;
  readonly minReplicas: 0 | 1;
  /** The link goes silent, which no end is told; or the replica stands still, and reads what was sent when it goes on. */
  readonly parted: 'silent link' | 'stopped replica';
  holds(seen: Seen): boolean;
}

interface Seen {
  readonly verdict: HistoryVerdict;
  /** When primary and replica were parted. */
  readonly partedAt: number;
  /** Refused by the primary for want of a replica. */
  readonly refused: number;
}

const FAILOVERS: readonly Failover[] = [
  {
    id: 'F28',
    title: 'a failover without min-replicas-to-write loses what was acknowledged and not yet replicated, that and nothing else',
    expected:
      'some of what was acknowledged since then is lost, nothing of before or after, nothing doubled; who was told of an end may find the task without it',
    minReplicas: 0,
    parted: 'silent link',
    holds: ({ verdict, partedAt }) => verdict.lost.length > 0 && verdict.doubled === 0 && lostSince(verdict, partedAt),
  },
  {
    id: 'F28-min-replicas',
    title: 'a failover with min-replicas-to-write 1 loses nothing acknowledged: a primary whose replica does not keep up refuses the rest',
    expected: '0 acknowledged lost, and the rest refused',
    minReplicas: 1,
    parted: 'stopped replica',
    holds: ({ verdict, refused }) => isSound(verdict) && refused > 0,
  },
  {
    id: 'F28-lag',
    title:
      'a failover with min-replicas-to-write 1 behind a silent link loses no more than what was acknowledged until the lag was noticed',
    expected: `lost only what was acknowledged within ${NOTICED_AFTER_MS} ms of the silence, the rest refused, nothing doubled`,
    minReplicas: 1,
    parted: 'silent link',
    holds: ({ verdict, partedAt, refused }) =>
      refused > 0 &&
      verdict.doubled === 0 &&
      lostSince(verdict, partedAt) &&
      verdict.lost.every((call) => call.beganAt < partedAt + NOTICED_AFTER_MS),
  },
];

/** A primary loses its replica and then dies; the replica takes its place. */
export const failovers: readonly Fault[] = FAILOVERS.map((failover) => ({
  id: failover.id,
  title: failover.title,
  run: (scale) => withCleanup((cleanup) => run(scale, failover, cleanup)),
}));

async function run(scale: FaultScale, failover: Failover, cleanup: Cleanup): Promise<FaultReport> {
  const pair = cleanup.add(await startRedisPair(['--min-replicas-max-lag', String(MAX_LAG_S)]), (it) => it.stop());
  await pair.primary.client().config('SET', 'min-replicas-to-write', failover.minReplicas);
  const proxy = await startProxy(cleanup, pair.primary);
  const stores = await openTwoStores(cleanup, proxy.url);
  const workload = StoreWorkload.start(cleanup, { stores, tasks: 10, writersPerStore: 3 });
  await workload.more(CALLS[scale]);
  const partedAt = await part(pair, failover);
  if (failover.minReplicas === 0) await workload.more(CALLS[scale]);
  else await until('the primary refuses for want of a replica', async () => (await refusalsOf(pair.primary, 'NOREPLICAS')) > 0);
  const refused = await refusalsOf(pair.primary, 'NOREPLICAS');
  const heldBytes = pair.link.heldBytes();
  const signal = await pair.primary.kill();
  await takeOver(pair, failover);
  proxy.retarget(pair.replica.port);
  proxy.dropAll();
  await workload.more(CALLS[scale]);
  const verdict = await judgeHistory(await workload.stop(), stores[1]);
  return {
    injected: `${failover.parted}, then SIGKILL of the primary, the replica promoted; min-replicas-to-write ${failover.minReplicas}`,
    fired: signal === 'SIGKILL' ? firedBy(failover, { heldBytes, refused }) : '',
    expected: failover.expected,
    seen: `${wordsOf(verdict)}; ${refused} refused for want of a replica`,
    held: failover.holds({ verdict, partedAt, refused }),
  };
}

async function part(pair: RunningRedisPair, { parted }: Failover): Promise<number> {
  // What was acknowledged before is on the replica: so all that is lost was acknowledged after.
  if (parted === 'silent link') await pair.caughtUp();
  const partedAt = performance.now();
  if (parted === 'silent link') pair.link.silence();
  else await pair.replica.pause();
  return partedAt;
}

async function takeOver(pair: RunningRedisPair, { parted }: Failover): Promise<void> {
  if (parted === 'stopped replica') {
    pair.replica.resume();
    const client = pair.replica.client();
    // Before it knows that the primary is gone it has not read all that came from there.
    await until('the replica has read all', async () => (await infoOf(client, 'replication')).get('master_link_status') === 'down');
  }
  await pair.promote();
}

function firedBy({ parted }: Failover, { heldBytes, refused }: { heldBytes: number; refused: number }): string {
  if (parted === 'silent link') return evidence(heldBytes, 'bytes held up by the link, then SIGKILL');
  return evidence(refused, 'NOREPLICAS errors counted by the primary, then SIGKILL');
}

/** Whether all that is lost was asked for after that moment, or was at work then. */
function lostSince({ lost }: HistoryVerdict, moment: number): boolean {
  return lost.every(({ beganAt, tookMs }) => beganAt + tookMs > moment);
}
