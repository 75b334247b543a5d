import { JwtService } from '@nestjs/jwt';
import { McpTestClient } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { JWT_SECRET } from './fixture/jwt.guard.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs } from './support/jobs.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded } from './support/waits.js';

const TASKS = 50;
/** The default of the module, which the long form waits for. */
const DEFAULT_LEASE_MS = 15_000;
/** A node takes over nothing for a lease after it joined, then waits for the lease of the other. */
const ENDED_WITHIN_MS = 4 * DEFAULT_LEASE_MS;
const SIZES = { short: { leaseMs: 1000, toolMs: 1500 }, long: { leaseMs: DEFAULT_LEASE_MS, toolMs: 5000 } } as const;

/** Kill -9 of a node whose callers all showed a token to an ordinary JWT guard: nobody is calling when the other node goes on. */
export const killBehindGuard: Fault = {
  id: 'A-11',
  title: `all ${TASKS} tasks of a killed node complete on the other one behind an ordinary JWT guard`,
  run,
};

async function run(scale: FaultScale): Promise<FaultReport> {
  const { leaseMs, toolMs } = SIZES[scale];
  return withCluster({ leaseMs, isGuarded: true, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const authorization = `Bearer ${await new JwtService({ secret: JWT_SECRET }).signAsync({ sub: 'ann' })}`;
    const client = new McpTestClient(a!.url, { headers: { authorization } }).withTasks();
    const refused = await a!.client().callTool('sleep_replay', { job: 'none', ms: 1 });
    const jobs = await startJobs(client, { tool: 'sleep_replay', count: TASKS, args: { ms: toolMs } });
    await allCounted(cluster, jobs);
    await a!.end('SIGKILL');
    const atWork = await cluster.tasks.open();
    const stored = await allEnded(cluster, ENDED_WITHIN_MS);
    const completed = stored.filter(({ record }) => record.status === 'completed').length;
    const checks = new Checks();
    checks.that(refused.status === 401, `a call without a token was ${refused.status}`);
    checks.that(completed === TASKS, `${TASKS - completed} did not complete`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of one of two nodes behind a JWT guard, ${TASKS} tasks at work, lease ${leaseMs} ms`,
      fired: evidence(atWork, 'tasks were at work on it'),
      expected: `all ${TASKS} complete`,
      seen: `${completed} completed`,
    });
  });
}
