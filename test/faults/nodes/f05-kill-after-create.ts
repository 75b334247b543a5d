import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allAre, lastWriteAfter } from './support/waits.js';

const TTL_MS = 120_000;

/** Kill -9 between the durable record and the reply that names it (F05). */
export const killAfterCreate: Fault = {
  id: 'F05',
  title: 'a task whose node died before it could answer the call runs all the same, and goes with its ttl',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  return withCluster({ leaseMs, observed: true, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const killedAt = await cluster.tasks.now();
    const call = await a!
      .client()
      .callTool('ask', { job: 'unanswered', killAt: 'after-create' })
      .catch(() => 'no answer' as const);
    const { signal } = await a!.ended;
    await allAre(cluster, 'input_required', 1);
    const [task] = await cluster.tasks.all();
    const took = lastWriteAfter(killedAt, [task!]);
    const lives = await cluster.redis.pttl(cluster.tasks.keyOf(task!.record.taskId));
    const counts = await cluster.tasks.counts();
    const bound = takenOverMs + allowanceMs;
    const checks = new Checks();
    checks.that(call === 'no answer', 'the call was answered');
    checks.that(took <= bound, `it took longer than ${bound} ms`);
    checks.that(counts.get('begun:unanswered') === 1, `its body ran ${counts.get('begun:unanswered')} times`);
    checks.that(lives > 0 && lives <= TTL_MS, `it has ${lives} ms to live, its ttl is ${TTL_MS}`);
    checks.none(await brokenInvariants(cluster, { parked: 1 }));
    return checks.report({
      injected: 'kill -9 right after the write that created a task',
      fired: evidence(signal === 'SIGKILL' && call === 'no answer' ? 1 : 0, 'node killed before it answered'),
      expected: `run by the other node within ${bound} ms, gone with its ttl`,
      seen: `it asked its question after ${took} ms and has ${lives} of ${TTL_MS} ms to live`,
    });
  });
}
