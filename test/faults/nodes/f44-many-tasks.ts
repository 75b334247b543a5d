import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { Checks } from './support/verdict.js';
import { allEnded, completedBy } from './support/waits.js';

/** The default. */
const MAX_RUNNING = 64;
const TOOL_MS = 1000;
/** Judged in the long form, which runs alone; beside other tests it is told. */
const LOOP_P99_MS = 50;

/** Many more tasks at once than may run (F44). */
export const manyTasks: Fault = {
  id: 'F44',
  title: 'far more tasks than may run at a time all finish',
  limitMs: { long: 600_000 },
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const count = scale === 'short' ? 600 : 10_000;
  return withCluster(
    {
      leaseMs: 15_000,
      limits: { maxRunning: MAX_RUNNING, maxQueued: count, maxActivePerPrincipal: count, maxStoredPerPrincipal: 2 * count },
      nodes: ['a', 'b'],
    },
    async (cluster, [a, b]) => {
      const delays = async () =>
        Promise.all(
          [a!, b!].map(
            async (node) =>
              (await node.client().callTool('loop_delay')).result?.structuredContent as { p50: number; p99: number; max: number },
          ),
        );
      await delays();
      const from = performance.now();
      const jobs = (
        await Promise.all(
          [a!, b!].map((node) =>
            startJobs(node.client(), { tool: 'sleep_replay', count: count / 2, args: { ms: TOOL_MS }, called: node.name }),
          ),
        )
      ).flat();
      const begun = performance.now() - from;
      const queued = await cluster.tasks.open();
      const stored = await allEnded(cluster, 500_000);
      const took = performance.now() - from;
      const [onA, onB] = await delays();
      const p99 = Math.max(onA!.p99, onB!.p99);
      const checks = new Checks();
      checks.that(completedBy(stored) === count, `${count - completedBy(stored)} were not completed`);
      checks.that(
        timesOf(await cluster.tasks.counts(), 'begun', jobs).every((times) => times === 1),
        'one was executed more or less than once',
      );
      checks.that(scale === 'short' || p99 < LOOP_P99_MS, `the event loop was held up for ${p99.toFixed(1)} ms (p99)`);
      checks.none(await brokenInvariants(cluster));
      return checks.report({
        injected: `${count} tasks of ${TOOL_MS} ms on two nodes that run ${MAX_RUNNING} each`,
        fired: evidence(queued > 2 * MAX_RUNNING ? queued : 0, 'tasks open at once'),
        expected: `all completed, each executed once, event-loop p99 below ${LOOP_P99_MS} ms`,
        seen: `${completedBy(stored)} completed in ${seconds(took)} s (begun in ${seconds(begun)} s), event-loop p99 ${p99.toFixed(1)} ms, max ${Math.max(onA!.max, onB!.max).toFixed(0)} ms`,
      });
    },
  );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
