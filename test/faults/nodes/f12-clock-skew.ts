import { pollTask } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster, type Cluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import type { NodeProcess } from './support/node-process.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

const SHIFT_MS = 600_000;
const TOOL_MS = 1500;
/** A node that trusted its own clock would be minutes off. */
const CLOCK_TOLERANCE_MS = 5000;

/** Nodes whose clocks are ten minutes fast and slow (F12). The tasks live for two minutes, so a node that went by its own clock would be seen to. */
export const clockSkew: Fault = {
  id: 'F12',
  title: 'clocks of nodes that are off by minutes change nothing',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 20 : 100;
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  return withCluster({ leaseMs, limits: { maxRunning: 500 }, nodes: [] }, async (cluster) => {
    const [fast, slow] = await Promise.all([
      cluster.start('fast', { clockShiftMs: SHIFT_MS }),
      cluster.start('slow', { clockShiftMs: -SHIFT_MS }),
    ]);
    const [onFast, onSlow] = await Promise.all(
      [fast, slow].map((node) =>
        startJobs(node.client(), { tool: 'sleep_replay', count, args: { ms: TOOL_MS }, called: `on-${node.name}` }),
      ),
    );
    await allCounted(cluster, [...onFast!, ...onSlow!]);
    const off = await clocksOff(cluster, [fast, slow]);
    const listener = await fast.client().listen({ taskIds: onFast!.slice(0, 5).map(({ taskId }) => taskId) });
    const killedAt = await cluster.tasks.now();
    await slow.end('SIGKILL');
    const stored = await allEnded(cluster);
    const took = lastWriteAfter(killedAt, stored);
    const seen = await pollTask(fast.client(), onSlow![0]!.taskId);
    const createdOff = Math.abs(Date.parse(seen.createdAt) - killedAt);
    await listener.close();
    const told = new Set(listener.messages.filter(({ params }) => params?.status === 'completed').map(({ params }) => params?.taskId)).size;
    const bound = takenOverMs + TOOL_MS + allowanceMs;
    const checks = new Checks();
    checks.that(completedBy(stored) === 2 * count, `${2 * count - completedBy(stored)} were not completed`);
    checks.that(
      timesOf(await cluster.tasks.counts(), 'stopped-expired', onFast!).every((times) => times === 0),
      'bodies were told that their task had expired',
    );
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.that(createdOff < CLOCK_TOLERANCE_MS, `createdAt is off by ${createdOff} ms`);
    checks.that(told === 5, `${told} of 5 ends were pushed`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `clocks of two nodes ten minutes fast and slow, ${count} tasks on each, the slow one killed`,
      fired: evidence(off, 'clocks off by 600 s'),
      expected: `all completed within ${bound} ms of the kill, times those of Redis, every end pushed`,
      seen: `${completedBy(stored)} completed, the last after ${took} ms, ${told} of 5 ends pushed`,
    });
  });
}

/** How many of the nodes' own clocks are off as they were told to be: they say so themselves. */
async function clocksOff({ tasks }: Cluster, nodes: readonly NodeProcess[]): Promise<number> {
  const clocks = await Promise.all(
    nodes.map(async (node) => Number((await node.client().callTool('clock')).result?.structuredContent?.now)),
  );
  const now = await tasks.now();
  return clocks.filter((clock) => Math.abs(Math.abs(clock - now) - SHIFT_MS) < CLOCK_TOLERANCE_MS).length;
}
