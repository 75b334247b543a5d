import { violationsIn } from './check-history.js';
import type { Cluster } from './cluster.js';
import { until } from './until.js';

/** How long after the last task's end its entry in the run index may stand: entries are struck off late, in batches. */
const STRUCK_OFF_MS = 3000;

/** What is left open: parked tasks that a test leaves parked on purpose. */
export interface InvariantOptions {
  readonly parked?: number;
}

/** What in everything that was written breaks an invariant, once all is quiet: I3, I4, I6, I7, I10; no task left (I8), no entry left (I12). */
export async function brokenInvariants({ history, tasks }: Cluster, { parked = 0 }: InvariantOptions = {}): Promise<string[]> {
  await history.caughtUp();
  const stored = await tasks.all();
  const broken = violationsIn(history.commits, stored);
  const open = await tasks.open();
  if (open !== parked) broken.push(`I8: ${open} tasks have not ended, ${parked} should not have`);
  const what = 'no task is entered in the run index';
  await until(
    () => tasks.entered(),
    (entered) => entered === 0,
    { what, timeoutMs: STRUCK_OFF_MS },
  ).catch((error: Error) => broken.push(`I12: ${error.message}`));
  return broken;
}
