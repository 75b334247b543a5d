import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

const PLACES = 8;
/** Far longer than the fault takes: what begins first holds its place until its node is killed. */
const BUSY_MS = 60_000;
const TOOL_MS = 250;

/** Kill -9 of a node with a queue of tasks that may not run twice (D-6). */
export const waitingTasks: Fault = {
  id: 'D-6',
  title: 'what only waited on a killed node is run by another, even if it may not run twice',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 50 : 500;
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  return withCluster({ leaseMs, limits: { maxRunning: PLACES }, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const begun = await startJobs(a!.client(), { tool: 'sleep_fail', count: PLACES, args: { ms: BUSY_MS }, called: 'busy' });
    await allCounted(cluster, begun);
    const waiting = await startJobs(a!.client(), { tool: 'sleep_fail', count, args: { ms: TOOL_MS }, called: 'waiting' });
    const killedAt = await cluster.tasks.now();
    await a!.end('SIGKILL');
    const before = await cluster.tasks.counts();
    const inQueue = timesOf(before, 'begun', waiting).filter((times) => times === 0).length;
    const stored = await allEnded(cluster, 60_000);
    const took = lastWriteAfter(killedAt, stored);
    const failed = stored.filter(({ record }) => record.error?.message === 'Task interrupted').length;
    const done = completedBy(stored, 'b');
    const once = timesOf(await cluster.tasks.counts(), 'begun', [...begun, ...waiting]).filter((times) => times === 1).length;
    // As places become free, which is once in the time of a tool, or at a beat.
    const workMs = Math.ceil(count / PLACES) * TOOL_MS;
    const bound = takenOverMs + 2 * workMs + allowanceMs;
    const checks = new Checks();
    checks.that(done === count, `${count - done} that only waited were not completed there`);
    checks.that(failed === PLACES, `${failed} failed as interrupted, ${PLACES} had begun`);
    checks.that(once === count + PLACES, `${count + PLACES - once} were not executed exactly once`);
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of a node of ${PLACES} places with ${count} more tasks in its queue, none of which may run twice, lease ${leaseMs} ms`,
      fired: evidence(inQueue, 'tasks waited in its queue'),
      expected: `all of them completed by the other node within ${bound} ms, and the ${PLACES} that had begun failed`,
      seen: `${done} completed there and ${failed} failed, the last after ${took} ms`,
    });
  });
}
