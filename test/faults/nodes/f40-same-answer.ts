import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { sayYes, startJobs, timesOf } from './support/jobs.js';
import { Checks } from './support/verdict.js';
import { allAre, allEnded, completedBy } from './support/waits.js';

/** The same answer at every node at once, many times (F40). A long lease: no takeover may explain a second execution. */
export const sameAnswer: Fault = {
  id: 'F40',
  title: 'an answer that comes to every node at once begins one execution',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { names, calls, count } =
    scale === 'short' ? { names: ['a', 'b'], calls: 8, count: 20 } : { names: ['a', 'b', 'c', 'd'], calls: 16, count: 50 };
  return withCluster({ leaseMs: 15_000, nodes: names }, async (cluster, nodes) => {
    const jobs = await startJobs(nodes[0]!.client(), { tool: 'ask', count });
    await allAre(cluster, 'input_required', count);
    let sent = 0;
    let refused = 0;
    for (const job of jobs) {
      const clients = nodes.flatMap((node) => Array.from({ length: calls }, () => node.client()));
      const replies = await Promise.all(clients.map((client) => sayYes(client, job)));
      sent += replies.length;
      refused += replies.filter(({ result }) => result?.resultType !== 'complete').length;
    }
    const stored = await allEnded(cluster);
    const begun = timesOf(await cluster.tasks.counts(), 'begun', jobs);
    const again = begun.filter((times) => times !== 2).length;
    const checks = new Checks();
    checks.that(refused === 0, `${refused} were not acknowledged`);
    checks.that(completedBy(stored) === count, `${count - completedBy(stored)} were not completed`);
    checks.that(again === 0, `${again} tasks had another number of executions than two`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `${calls} equal answers to each of ${names.length} nodes at once, for ${count} tasks`,
      fired: evidence(sent, 'answers sent'),
      expected: 'all acknowledged, one execution more for each task',
      seen: `${sent - refused} acknowledged, ${begun.reduce((sum, times) => sum + times, 0) - count} executions begun by them`,
    });
  });
}
