import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJob, startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy } from './support/waits.js';

const LEASES = 3;
const TOOL_MS = 1500;

/** A tool that holds its node's event loop for three leases (F08). */
export const blockedLoop: Fault = {
  id: 'F08',
  title: 'a node whose event loop is held loses its work to others, and serves again afterwards',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 20 : 100;
  const { leaseMs } = timingOf(scale);
  return withCluster({ leaseMs, limits: { maxRunning: 500 }, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const jobs = await startJobs(a!.client(), { tool: 'sleep_replay', count, args: { ms: TOOL_MS } });
    await allCounted(cluster, jobs);
    const sessions = await cluster.tasks.sessions();
    const blocker = await startJob(a!.client(), 'block', { job: 'blocker', ms: LEASES * leaseMs });
    const stored = await allEnded(cluster);
    await allCounted(cluster, [blocker], 'finished');
    const afterwards = await startJobs(a!.client(), { tool: 'sleep_replay', count: 5, args: { ms: 1 }, called: 'afterwards' });
    await allCounted(cluster, afterwards, 'finished');
    const everything = await allEnded(cluster);
    const remaining = await cluster.tasks.sessions();
    const lost = sessions.filter((session) => !remaining.includes(session)).length;
    const failed = stored.find(({ record }) => record.taskId === blocker.taskId)?.record;
    const others = stored.filter(({ record }) => record.taskId !== blocker.taskId);
    const checks = new Checks();
    checks.that(completedBy(others, 'b') === count, `${count - completedBy(others, 'b')} were not completed by the other node`);
    checks.that(failed?.error?.message === 'Task interrupted', `the blocker is ${failed?.status} ${failed?.error?.message ?? ''}`);
    checks.that(Math.max(...timesOf(await cluster.tasks.counts(), 'begun', jobs)) <= 2, 'one was executed more than twice');
    checks.that(completedBy(everything, 'a') === afterwards.length, 'the node did not serve again');
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `a busy loop of ${LEASES * leaseMs} ms on a node with ${count} other tasks, lease ${leaseMs} ms`,
      fired: evidence(lost, 'session lost'),
      expected: 'the others completed elsewhere, the blocker failed, the node back under another session',
      seen: `${completedBy(others, 'b')} completed elsewhere, ${afterwards.length} new ones on it afterwards`,
    });
  });
}
