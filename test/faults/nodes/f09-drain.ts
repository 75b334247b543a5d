import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

/** As long as by default: whoever waited for it would be seen to. */
const LEASE_MS = 15_000;
const SIZES = { short: { count: 60, toolMs: 1500 }, long: { count: 200, toolMs: 3000 } } as const;
/** From the signal to the last task's end beyond the tool's own time: what it takes to tell, release and take over the tasks. */
const HANDED_OVER_MS = 1500;

/** SIGTERM of a node at work (F09). */
export const drain: Fault = {
  id: 'F09',
  title: 'a node that is told to end gives its work away at once, and ends cleanly',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { count, toolMs } = SIZES[scale];
  return withCluster({ leaseMs: LEASE_MS, limits: { maxRunning: count }, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const jobs = await startJobs(a!.client(), { tool: 'sleep_replay', count, args: { ms: toolMs } });
    await allCounted(cluster, jobs);
    const atWork = await cluster.tasks.open();
    const toldAt = await cluster.tasks.now();
    const ending = a!.end('SIGTERM');
    const stored = await allEnded(cluster);
    const took = lastWriteAfter(toldAt, stored);
    const { code, signal } = await ending;
    await cluster.history.caughtUp();
    const attempts = Math.max(...cluster.history.commits.map(({ record }) => record.run?.attempt ?? 0));
    const bound = toolMs + HANDED_OVER_MS + timingOf(scale).allowanceMs;
    const checks = new Checks();
    checks.that(code === 0, `it ended with ${code ?? signal}`);
    checks.that(completedBy(stored) === count, `${count - completedBy(stored)} were not completed`);
    checks.that(
      completedBy(stored, 'b') === atWork,
      `${completedBy(stored, 'b')} were completed by the other node, ${atWork} were at work`,
    );
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.that(attempts === 1, `being released was counted as an attempt: there was one with ${attempts}`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `SIGTERM to one of two nodes, ${count} tasks at work, lease ${LEASE_MS} ms`,
      fired: evidence(atWork, 'tasks were at work on it'),
      expected: `exit 0, all completed by the other node within ${bound} ms, no attempt used up`,
      seen: `exit ${code ?? signal}, ${completedBy(stored, 'b')} completed by it, the last after ${took} ms`,
    });
  });
}
