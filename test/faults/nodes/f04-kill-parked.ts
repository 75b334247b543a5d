import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { sayYes, startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allAre, allEnded, completedBy } from './support/waits.js';

/** Kill -9 of every node while tasks wait for their client (F04). */
export const killParked: Fault = {
  id: 'F04',
  title: 'tasks that wait for an answer outlive every node, and go on where they were',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 20 : 200;
  return withCluster({ leaseMs: timingOf(scale).leaseMs, limits: { maxRunning: count }, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const jobs = await startJobs(a!.client(), { tool: 'ask', count });
    await allAre(cluster, 'input_required', count);
    const before = await cluster.tasks.all();
    const ended = await Promise.all([a!.end('SIGKILL'), b!.end('SIGKILL')]);
    const c = await cluster.start('c');
    const replies = await Promise.all(jobs.map((job) => sayYes(c.client(), job)));
    const stored = await allEnded(cluster);
    const counts = await cluster.tasks.counts();
    const checks = new Checks();
    const refused = replies.filter(({ error }) => error !== undefined).length;
    const done = completedBy(stored, 'c');
    checks.that(refused === 0, `${refused} answers were refused`);
    checks.that(done === count, `${count - done} were not completed there`);
    checks.that(
      timesOf(counts, 'step', jobs).every((times) => times === 1),
      'a recorded step was done again',
    );
    checks.that(
      timesOf(counts, 'finished', jobs).every((times) => times === 1),
      'one was finished more than once',
    );
    checks.that(
      before.every(({ record }) => record.run === undefined),
      'a parked task had a run',
    );
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of both nodes, ${count} tasks parked; answers at a third`,
      fired: evidence(ended.filter(({ signal }) => signal === 'SIGKILL').length, 'nodes killed'),
      expected: `all ${count} completed there, each step done once`,
      seen: `${done} completed, steps done ${timesOf(counts, 'step', jobs).reduce((sum, times) => sum + times, 0)}`,
    });
  });
}
