import { accept, answerInput } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { sayYes, startJobs, timesOf } from './support/jobs.js';
import { Checks } from './support/verdict.js';
import { allAre, allEnded, completedBy } from './support/waits.js';

/** Two clients that answer one question each, at two nodes, at once; and one who answers what was never asked (F41). */
export const partialAnswers: Fault = {
  id: 'F41',
  title: 'answers that come in parts to two nodes are put together, and the last one resumes',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 30 : 500;
  return withCluster({ leaseMs: 15_000, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const jobs = await startJobs(a!.client(), { tool: 'ask_two', count });
    await allAre(cluster, 'input_required', count);
    const replies = [];
    for (const job of jobs) {
      const stray = answerInput(b!.client(), job, { never_asked: accept({ yes: true }) });
      replies.push(...(await Promise.all([sayYes(a!.client(), job, ['left']), sayYes(b!.client(), job, ['right']), stray])));
    }
    const stored = await allEnded(cluster);
    const refused = replies.filter(({ result }) => result?.resultType !== 'complete').length;
    const begun = timesOf(await cluster.tasks.counts(), 'begun', jobs);
    const strays = stored.filter(({ record }) => record.ledger.some(({ key }) => key === 'never_asked')).length;
    const checks = new Checks();
    checks.that(refused === 0, `${refused} were not acknowledged`);
    checks.that(completedBy(stored) === count, `${count - completedBy(stored)} were not completed`);
    checks.that(
      begun.every((times) => times === 2),
      'one was resumed more or less than once',
    );
    checks.that(strays === 0, `${strays} kept an answer to nothing`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `halves of the answers to two nodes at once, and a stray one, for ${count} tasks`,
      fired: evidence(replies.length, 'answers sent'),
      expected: 'all acknowledged, each task resumed once and completed',
      seen: `${replies.length - refused} acknowledged, ${completedBy(stored)} completed`,
    });
  });
}
