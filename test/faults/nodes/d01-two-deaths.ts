import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allEnded, begunAtLeast, completedBy, lastWriteAfter } from './support/waits.js';

const TOOL_MS = 1500;
const PLACES = 64;
/** Suspects wait for at most two groups before them, and a group takes as long as its tool. */
const GROUPS = 2;
/** What lies between two bodies in one place, as a part of their own time. */
const OVERHEAD = 0.5;
/** Two deaths leave a task its last attempt, which is its third. */
const MAX_ATTEMPTS = 3;

/** Two nodes die one after the other with all places taken and a long queue (D-1). */
export const twoDeaths: Fault = {
  id: 'D-1',
  title: 'two deaths do not hold up the work: the node that is left uses all of its places',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 101 : 1000;
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  const limits = { maxRunning: PLACES };
  return withCluster({ leaseMs, maxAttempts: MAX_ATTEMPTS, limits, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const jobs = await startJobs(a!.client(), { tool: 'sleep_replay', count, args: { ms: TOOL_MS } });
    await begunAtLeast(cluster, PLACES);
    const onFirst = await cluster.tasks.entered();
    await a!.end('SIGKILL');
    // The first's tasks run again, and it is their second attempt.
    const begun = timesOf(await cluster.tasks.counts(), 'begun', jobs).reduce((sum, times) => sum + times);
    await begunAtLeast(cluster, begun + PLACES);
    await cluster.start('c');
    const killedAt = await cluster.tasks.now();
    await b!.end('SIGKILL');
    const open = await cluster.tasks.open();
    const stored = await allEnded(cluster, 110_000);
    const took = lastWriteAfter(killedAt, stored);
    const workMs = Math.ceil(open / PLACES) * TOOL_MS;
    const bound = takenOverMs + GROUPS * TOOL_MS + workMs * (1 + OVERHEAD) + allowanceMs;
    const executions = timesOf(await cluster.tasks.counts(), 'begun', jobs);
    const interrupted = executions.reduce((sum, times) => sum + times) - count;
    const checks = new Checks();
    checks.that(completedBy(stored) === count, `${count - completedBy(stored)} were not completed`);
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.that(Math.max(...executions) <= MAX_ATTEMPTS, `one was executed ${Math.max(...executions)} times`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of two nodes of ${PLACES} places, one after the other, ${onFirst} of ${count} tasks entered at the first, lease ${leaseMs} ms`,
      fired: evidence(Math.min(interrupted, open), `bodies were interrupted by a death, ${open} tasks were open after the second`),
      expected: `all completed within ${bound} ms, of which ${workMs} ms is their own time`,
      seen: `${completedBy(stored)} completed, the last after ${took} ms, executions at most ${Math.max(...executions)}`,
    });
  });
}
