import type { JsonObject } from '@mocapi/core';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { inBatches, sayYes, startJobs } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { until } from './support/until.js';
import { Checks } from './support/verdict.js';
import { allAre, allEnded, completedBy } from './support/waits.js';
import type { Commit } from './support/write-history.js';

/** A state that lasted longer than this must have been pushed: reading takes a moment, in which the next state may come. */
const COALESCED_MS = 100;

/** A task asks on one node, which dies; it is answered and finished on a second, and watched on a third. */
export const askHereAnswerThere: Fault = {
  id: 'M3',
  title: 'asked on a node that dies, answered and finished on another, watched on a third: every state that lasted is seen',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 20 : 200;
  const { leaseMs, allowanceMs } = timingOf(scale);
  const coalescedMs = COALESCED_MS + allowanceMs / 2;
  return withCluster({ leaseMs, limits: { maxRunning: 500 }, nodes: ['a', 'b', 'c'] }, async (cluster, [a, b, c]) => {
    const jobs = await startJobs(a!.client(), { tool: 'ask_then_work', count, args: { ms: 2 * coalescedMs } });
    const listener = await c!.client().listen({ taskIds: jobs.map(({ taskId }) => taskId) });
    await listener.acknowledged();
    await allAre(cluster, 'input_required', count);
    const { signal } = await a!.end('SIGKILL');
    await inBatches(jobs, 50, (job) => sayYes(b!.client(), job));
    const stored = await allEnded(cluster);
    const states = () => listener.messages.map(({ params }) => params as JsonObject);
    const ends = async () => states().filter(({ status }) => status === 'completed').length;
    const final = await until(ends, (seen) => seen >= count, { what: 'every end is pushed', timeoutMs: 5000 }).catch(ends);
    await listener.close();
    await cluster.history.caughtUp();
    const taskIdOf = new Map(stored.map(({ key, record }) => [key, record.taskId]));
    const lasting = lastingStates(cluster.history.commits, coalescedMs);
    const missed = lasting.filter(({ key, record }) => !states().some((seen) => seen.taskId === taskIdOf.get(key) && isSame(seen, record)));
    const checks = new Checks();
    checks.that(completedBy(stored, 'b') === count, `${count - completedBy(stored, 'b')} were not completed by the second node`);
    checks.that(final === count, `${final} ends were pushed`);
    checks.that(
      missed.length === 0,
      `${missed.length} states that lasted were not pushed, such as ${missed[0]?.record.status} in version ${missed[0]?.version}`,
    );
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of the node on which ${count} tasks asked; answers at a second, a listener on a third`,
      fired: evidence(signal === 'SIGKILL' ? count : 0, 'tasks had asked on the killed node'),
      expected: `all completed on the second; all ${count} ends and every state longer than ${coalescedMs} ms on the third`,
      seen: `${completedBy(stored, 'b')} completed there; ${final} ends and ${lasting.length - missed.length} of ${lasting.length} lasting states seen`,
    });
  });
}

/** The writes after which a task stayed as it was for longer than `ms`. */
function lastingStates(commits: readonly Commit[], ms: number): Commit[] {
  return commits.filter((commit, index) => {
    const next = commits.slice(index + 1).find(({ key }) => key === commit.key);
    return (next?.at ?? Infinity) - commit.at > ms;
  });
}

function isSame(seen: JsonObject, { status, statusMessage }: Commit['record']): boolean {
  return seen.status === status && seen.statusMessage === statusMessage;
}
