import type { McpReply } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { inBatches, startJobs } from './support/jobs.js';
import { Checks } from './support/verdict.js';
import { allAre } from './support/waits.js';

const MOST_ACTIVE = 50;
const OTHERS = 20;
const AT_ONCE = 50;

/** One caller who begins tasks without end (F50). */
export const taskFlood: Fault = {
  id: 'F50',
  title: 'a caller who begins too many tasks is refused, and no other is',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const calls = scale === 'short' ? 300 : 3000;
  const settings = { leaseMs: 15_000, limits: { maxActivePerPrincipal: MOST_ACTIVE, maxRunning: 500 }, nodes: ['a', 'b'] };
  return withCluster(settings, async (cluster, [a]) => {
    const flooder = a!.client('flooder');
    const flood = inBatches(Array.from({ length: calls }), AT_ONCE, () => flooder.callTool('sleep_replay', { job: 'flood', ms: 60_000 }));
    const others = await startJobs(a!.client('other'), { tool: 'sleep_replay', count: OTHERS, args: { ms: 10 }, called: 'other' });
    const replies = await flood;
    await allAre(cluster, 'completed', OTHERS);
    const admitted = replies.filter(({ result }) => result?.resultType === 'task').length;
    const refused = replies.filter(isRefusal).length;
    const stored = await cluster.tasks.all();
    const checks = new Checks();
    checks.that(admitted === MOST_ACTIVE, `${admitted} were admitted, ${MOST_ACTIVE} may be`);
    checks.that(admitted + refused === calls, `${calls - admitted - refused} were answered otherwise`);
    checks.that(stored.length === MOST_ACTIVE + others.length, `${stored.length} tasks are stored: something was kept of what was refused`);
    return checks.report({
      injected: `${calls} tasks of one caller who may have ${MOST_ACTIVE}, ${OTHERS} of another`,
      fired: evidence(refused, 'calls refused'),
      expected: `${MOST_ACTIVE} admitted, the rest -32603 with data.retryAfterMs, the other's all completed`,
      seen: `${admitted} admitted, ${refused} refused so, ${OTHERS} of the other completed`,
    });
  });
}

function isRefusal({ error }: McpReply): boolean {
  return error?.code === -32603 && Number((error.data as { retryAfterMs?: number } | undefined)?.retryAfterMs) > 0;
}
