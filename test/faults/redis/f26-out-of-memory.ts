import { until } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { marked } from './support/marks.js';
import { openTwoStores } from './support/open-store.js';
import { refusalsOf, startServer } from './support/start-server.js';
import { StoreHistory } from './support/store-history.js';

const TASKS = { short: 20, long: 500 } as const;

/** Redis is out of memory and evicts nothing. */
export const outOfMemory: Fault = {
  id: 'F26',
  title: 'a Redis without memory refuses creations and writes with a retryable error, nothing of them is stored, and reads go on',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup, '--maxmemory-policy', 'noeviction');
  const [store, other] = await openTwoStores(cleanup, server.url);
  const history = new StoreHistory();
  const tasks = await Promise.all(Array.from({ length: TASKS[scale] }, () => history.create(store)));
  const admin = server.client();
  const write = (mark: string) =>
    Promise.all(tasks.map(({ key }) => history.write(store, { key, mark }, (record) => marked(record, mark))));
  await write('before');
  await admin.config('SET', 'maxmemory', '1mb');
  const full = [...(await write('full')), ...(await Promise.all(tasks.map(() => history.create(store))))];
  const reads = await Promise.all(tasks.map(({ key }) => history.read(other, key)));
  const refusals = await refusalsOf(server, 'OOM');
  await admin.config('SET', 'maxmemory', '0');
  await until('there is room again', async () => (await history.create(other)).told === 'won');
  const after = await write('after');
  const verdict = await judgeHistory(history, other);
  const refused = full.filter(({ told, error }) => told === 'refused' && isRetryable(error)).length;
  const readable = reads.filter(({ record }) => record?.version === 2).length;
  const resumed = after.filter(({ record }) => record?.version === 3).length;
  return {
    injected: `CONFIG SET maxmemory 1mb, then ${tasks.length} writes and ${tasks.length} creations`,
    fired: evidence(refusals, 'OOM errors counted by Redis'),
    expected: 'all refused with retryAfterMs, each task readable at its version, and written again with the next once there is room',
    seen: `${refused} of ${full.length} refused, ${readable} of ${tasks.length} readable, ${resumed} written again; ${wordsOf(verdict)}`,
    held: isSound(verdict) && refused === full.length && readable === tasks.length && resumed === tasks.length,
  };
}

function isRetryable(error: Error | undefined): boolean {
  const { code, data } = error as { code?: number; data?: { retryAfterMs?: number } };
  return code === -32603 && typeof data?.retryAfterMs === 'number';
}
