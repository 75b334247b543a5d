import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

const TOOL_MS = 1000;

/** The only node is killed and started again (F02). */
export const restart: Fault = {
  id: 'F02',
  title: 'a single node that is killed and started again goes on with what it ran',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 20 : 200;
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  return withCluster({ leaseMs, limits: { maxRunning: count }, nodes: ['a'] }, async (cluster, [a]) => {
    const jobs = await startJobs(a!.client(), { tool: 'sleep_replay', count, args: { ms: TOOL_MS } });
    await allCounted(cluster, jobs);
    await a!.end('SIGKILL');
    const atWork = await cluster.tasks.open();
    await cluster.start('a2');
    const backAt = await cluster.tasks.now();
    const stored = await allEnded(cluster);
    const took = lastWriteAfter(backAt, stored);
    const bound = takenOverMs + TOOL_MS + allowanceMs;
    const again = completedBy(stored, 'a2');
    const checks = new Checks();
    checks.that(completedBy(stored) === count, `${count - completedBy(stored)} were not completed`);
    checks.that(again === atWork, `${again} were completed after the restart, ${atWork} were at work before it`);
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of the only node with ${count} tasks, and a new start`,
      fired: evidence(atWork, 'tasks were at work on it'),
      expected: `all completed within ${bound} ms of the new node's boot`,
      seen: `${again} completed by it, the last after ${took} ms`,
    });
  });
}
