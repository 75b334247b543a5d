import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { sayYes, startJob } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allAre, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

/** Kill -9 between the write that takes the last answer and the execution that it begins (F06). */
export const killAfterFlip: Fault = {
  id: 'F06',
  title: 'an answer that was taken is acted on although the node that took it died at once',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  return withCluster({ leaseMs, observed: true, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const job = await startJob(a!.client(), 'ask', { job: 'flipped', killAt: 'after-flip' });
    await allAre(cluster, 'input_required', 1);
    const killedAt = await cluster.tasks.now();
    const answer = await sayYes(a!.client(), job).catch(() => 'no answer' as const);
    const { signal } = await a!.ended;
    const stored = await allEnded(cluster);
    const took = lastWriteAfter(killedAt, stored);
    const counts = await cluster.tasks.counts();
    const bound = takenOverMs + allowanceMs;
    const checks = new Checks();
    checks.that(completedBy(stored, 'b') === 1, 'it was not completed by the other node');
    checks.that(took <= bound, `it took longer than ${bound} ms`);
    checks.that(counts.get('begun:flipped') === 2, `its body ran ${counts.get('begun:flipped')} times`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: 'kill -9 right after the write that took the last answer',
      fired: evidence(signal === 'SIGKILL' && answer === 'no answer' ? 1 : 0, 'node killed before it acted'),
      expected: `completed by the other node within ${bound} ms`,
      seen: `completed after ${took} ms, body run ${counts.get('begun:flipped')} times in all`,
    });
  });
}
