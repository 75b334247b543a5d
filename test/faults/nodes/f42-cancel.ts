import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { inBatches, startJob, startJobs, timesOf } from './support/jobs.js';
import { until } from './support/until.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded } from './support/waits.js';

const LEASE_MS = 15_000;
const TOLD_MS = 1000;
const AT_ONCE = 50;

/** Cancelling at another node than the one that runs the task (F42). */
export const cancelling: readonly Fault[] = [
  { id: 'F42', title: 'of a cancel and a result at two nodes one ends the task, and both are acknowledged', run: runRace },
  { id: 'F42-signal', title: 'a cancel at one node stops the body on another', run: runSignal },
];

function runRace(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 100 : 1000;
  return withCluster({ leaseMs: LEASE_MS, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const names = Array.from({ length: count }, (_, index) => `race-${index}`);
    const replies = await inBatches(names, AT_ONCE, async (name) => {
      // So short that its end and the cancel that follows the answer at once are about to meet.
      const { taskId } = await startJob(a!.client(), 'sleep_replay', { job: name, ms: Math.floor(Math.random() * 12) });
      return b!.client().request('tasks/cancel', { taskId });
    });
    const stored = await allEnded(cluster);
    await cluster.history.caughtUp();
    const cancelled = stored.filter(({ record }) => record.status === 'cancelled').length;
    const completed = stored.filter(({ record }) => record.status === 'completed').length;
    const refused = replies.filter(({ result }) => result?.resultType !== 'complete').length;
    const checks = new Checks();
    checks.that(refused === 0, `${refused} cancels were not acknowledged`);
    checks.that(cancelled + completed === count, `${count - cancelled - completed} ended otherwise`);
    checks.that(cancelled > 0 && completed > 0, 'it was no race: one side won them all');
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `a cancel at one node as the body ends on the other, ${count} tasks`,
      fired: evidence(Math.min(cancelled, completed), 'tasks at least went either way'),
      expected: 'one end each, every cancel acknowledged',
      seen: `${cancelled} cancelled, ${completed} completed, ${count - refused} acknowledged`,
    });
  });
}

function runSignal(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 30 : 200;
  return withCluster({ leaseMs: LEASE_MS, limits: { maxRunning: 500 }, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const jobs = await startJobs(a!.client(), { tool: 'sleep_replay', count, args: { ms: 60_000 } });
    await allCounted(cluster, jobs);
    const from = performance.now();
    await inBatches(jobs, AT_ONCE, ({ taskId }) => b!.client().request('tasks/cancel', { taskId }));
    const sentAll = performance.now();
    const stopped = async () => timesOf(await cluster.tasks.counts(), 'stopped-cancelled', jobs).filter((times) => times === 1).length;
    await until(stopped, (told) => told === count, { what: 'every body is told', timeoutMs: TOLD_MS });
    const took = Math.round(performance.now() - sentAll);
    const stored = await allEnded(cluster);
    const cancelled = stored.filter(({ record }) => record.status === 'cancelled').length;
    const checks = new Checks();
    checks.that(cancelled === count, `${count - cancelled} are not cancelled`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `cancels at one node for ${count} bodies on the other, within ${Math.round(sentAll - from)} ms`,
      fired: evidence(cancelled, 'tasks cancelled'),
      expected: `every body told within ${TOLD_MS} ms of the last cancel`,
      seen: `all told at most ${took} ms after it`,
    });
  });
}
