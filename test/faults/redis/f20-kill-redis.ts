import { type RedisServer, until } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { openTwoStores } from './support/open-store.js';
import { startServer } from './support/start-server.js';
import type { StoreCall, StoreHistory } from './support/store-history.js';
import { StoreWorkload } from './support/store-workload.js';

const SCALES = { short: { kills: 1, writesBetween: 300 }, long: { kills: 5, writesBetween: 3000 } } as const;
/** A call that begins while Redis is away is refused at once: far below the time of one command, and with room for a busy machine. */
const AT_ONCE_MS = 500;
const CALLS_WHILE_AWAY = 50;

/** Kills the Redis that keeps an append-only file, over and over, below writers that go on. */
export const killRedis: Fault = {
  id: 'F20',
  title:
    'nothing acknowledged is lost when a Redis that keeps an append-only file is killed, and callers are refused at once until it is back',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const { kills, writesBetween } = SCALES[scale];
  const server = await startServer(cleanup, '--appendonly', 'yes', '--appendfsync', 'everysec');
  const stores = await openTwoStores(cleanup, server.url);
  const { runIndex } = stores[0];
  const session = await runIndex.join();
  const workload = StoreWorkload.start(cleanup, { stores, tasks: 20, writersPerStore: 8 });
  const away: StoreCall[] = [];
  for (let round = 0; round < kills; round++) {
    await workload.more(writesBetween);
    away.push(...(await whileAway(server, workload.history)));
  }
  await workload.more(writesBetween);
  const verdict = await judgeHistory(await workload.stop(), stores[1]);
  await until('the other node is connected again, too', () =>
    runIndex.beat(session).then(
      () => true,
      () => false,
    ),
  );
  const isKnown = await runIndex.beat(session);
  const slowestMs = Math.round(Math.max(...away.map(({ tookMs }) => tookMs)));
  return {
    injected: `SIGKILL of Redis (appendfsync everysec) below 16 writers, ${kills} times`,
    fired: evidence(away.length, `calls begun between SIGKILL and restart`),
    expected: `0 acknowledged lost, calls meanwhile refused within ${AT_ONCE_MS} ms, the session known as before`,
    seen: `${wordsOf(verdict)}; refused within ${slowestMs} ms; session ${isKnown ? 'known' : 'gone'}`,
    held: isSound(verdict) && away.every(({ told }) => told === 'unknown') && slowestMs <= AT_ONCE_MS && isKnown,
  };
}

/** Kills it, and starts it again once calls were made in vain; resolves to these. */
async function whileAway(server: RedisServer, { calls }: StoreHistory): Promise<readonly StoreCall[]> {
  const signal = await server.kill();
  if (signal !== 'SIGKILL') throw new Error(`Redis ended by ${signal}`);
  const killedAt = performance.now();
  const begunSince = () => calls.filter(({ beganAt }) => beganAt > killedAt);
  await until('calls are made while Redis is away', () => begunSince().length >= CALLS_WHILE_AWAY);
  const made = begunSince();
  await server.restart();
  return made;
}
