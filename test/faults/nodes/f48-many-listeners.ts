import type { McpListenStream } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { inBatches, startJob } from './support/jobs.js';
import { until } from './support/until.js';
import { Checks } from './support/verdict.js';
import { allEnded } from './support/waits.js';

const CHANGES = 8;
const AT_ONCE = 50;

/** Very many streams that watch one task on one node (F48). */
export const manyListeners: Fault = {
  id: 'F48',
  title: 'however many listen to a task, each change is read once on a node',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 100 : 1000;
  return withCluster({ leaseMs: 15_000, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    // The first report comes when all have begun to listen.
    const job = await startJob(a!.client(), 'report', { job: 'watched', times: CHANGES, everyMs: 300, startsAfterMs: 500 + 5 * count });
    const streams = await inBatches(Array.from({ length: count }), AT_ONCE, () => b!.client().listen({ taskIds: [job.taskId] }));
    await Promise.all(streams.map((stream) => stream.acknowledged()));
    await Promise.all(streams.map((stream) => stream.next()));
    await cluster.history.caughtUp();
    const before = { reads: cluster.history.timesAsked('getrange'), commits: cluster.history.commits.length };
    await allEnded(cluster, 30_000);
    const told = async () => streams.filter((stream) => lastOf(stream) === 'completed').length;
    const saw = await until(told, (seen) => seen === count, { what: 'all streams see the end', timeoutMs: 10_000 }).catch(told);
    await cluster.history.caughtUp();
    const reads = cluster.history.timesAsked('getrange') - before.reads;
    const changes = cluster.history.commits.length - before.commits;
    await Promise.all(streams.map((stream) => stream.close()));
    const checks = new Checks();
    checks.that(saw === count, `${count - saw} streams did not see the end`);
    checks.that(reads > 0 && reads <= changes, `${changes} changes were read ${reads} times`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `${count} streams on one node that watch a task of another`,
      fired: evidence(changes, 'changes while they listened'),
      expected: 'at most one read a change, the end seen by all',
      seen: `${reads} reads, seen by ${saw}`,
    });
  });
}

function lastOf(stream: McpListenStream): unknown {
  return stream.messages.at(-1)?.params?.status;
}
