import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJob, startJobs } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy } from './support/waits.js';

/** A task that its node dies of, wherever it runs (F10). */
export const poison: Fault = {
  id: 'F10',
  title: 'a task that kills its nodes is given up on, and the others are not',
  run,
};

/** Each death counts until the last attempt is due. From then on each halves the suspects, until the last of them has begun alone. */
function mostDeaths(maxAttempts: number, suspects: number): number {
  return maxAttempts - 1 + Math.max(1, Math.ceil(Math.log2(suspects)));
}

function run(scale: FaultScale): Promise<FaultReport> {
  const { maxAttempts, others } = scale === 'short' ? { maxAttempts: 2, others: 2 } : { maxAttempts: 3, others: 10 };
  const deaths = mostDeaths(maxAttempts, 2 * others + 1);
  const names = Array.from({ length: deaths + 1 }, (_, index) => `node-${index + 1}`);
  const { leaseMs } = timingOf(scale);
  // Long enough to be at work when the node dies, and longer than the groups of suspects wait for each other.
  const args = { ms: 1.25 * leaseMs };
  return withCluster({ leaseMs, maxAttempts, nodes: names }, async (cluster, nodes) => {
    const [first, last] = [nodes[0]!, nodes.at(-1)!];
    const beside = await startJobs(first.client(), { tool: 'sleep_replay', count: others, args, called: 'beside' });
    const elsewhere = await startJobs(last.client(), { tool: 'sleep_replay', count: others, args, called: 'elsewhere' });
    await allCounted(cluster, [...beside, ...elsewhere]);
    const bad = await startJob(first.client(), 'poison', { job: 'bad' }).catch(() => undefined);
    const stored = await allEnded(cluster, 20_000 + deaths * 4 * leaseMs);
    const dead = nodes.filter(({ isAlive }) => !isAlive).length;
    const poisoned = stored.find(({ record }) => record.toolName === 'poison')?.record;
    const done = completedBy(stored.filter(({ record }) => record.toolName !== 'poison'));
    const times = (await cluster.tasks.counts()).get('begun:bad') ?? 0;
    const checks = new Checks();
    checks.that(
      poisoned?.error?.message === 'Task interrupted too many times',
      `the poison is ${poisoned?.status} ${poisoned?.error?.message ?? ''}`,
    );
    checks.that(
      times === dead && dead >= maxAttempts && dead <= deaths,
      `it was begun ${times} times and ended ${dead} nodes, not ${maxAttempts} to ${deaths}`,
    );
    checks.that(done === 2 * others, `${2 * others - done} of the other tasks were not completed`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `a task that aborts its process, ${others} others beside it and ${others} elsewhere, ${maxAttempts} attempts`,
      fired: evidence(dead, `nodes ended by it${bad ? '' : ', the first before it answered'}`),
      expected: `failed after ${maxAttempts} to ${deaths} deaths, all others completed`,
      seen: `${poisoned?.status} after ${times}, ${done} of ${2 * others} others completed`,
    });
  });
}
