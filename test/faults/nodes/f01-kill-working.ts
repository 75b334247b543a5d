import type { TaskRecord } from '@mocapi/tasks';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

/** The tool's time is longer than it takes to begin them all, so that all are at work when their node dies. */
const SIZES = { short: { count: 60, toolMs: 1500 }, long: { count: 200, toolMs: 2500 } } as const;

/** What the survivors make of the work of a killed node. */
interface Recovery {
  readonly tool: 'sleep_replay' | 'sleep_fail';
  readonly ends: string;
  /** Whether the body runs again, and takes its time. */
  readonly isRun: boolean;
  readonly executions: number;
  isRight(record: Pick<TaskRecord, 'status' | 'result' | 'error'>): boolean;
}

const REPLAYED: Recovery = {
  tool: 'sleep_replay',
  ends: 'completed by the other node',
  isRun: true,
  executions: 2,
  isRight: ({ status, result }) => status === 'completed' && (result?.structuredContent as { node?: string } | undefined)?.node === 'b',
};

const FAILED: Recovery = {
  tool: 'sleep_fail',
  ends: 'failed -32603 "Task interrupted"',
  isRun: false,
  executions: 1,
  isRight: ({ status, error }) => status === 'failed' && error?.code === -32603 && error.message === 'Task interrupted',
};

/** Kill -9 of a node at work (F01): the others take its tasks over, or fail them, within a lease and two beats. */
export const killWorking: readonly Fault[] = [
  {
    id: 'F01',
    title: 'what a killed node ran is run again by another within a lease, two beats and its own time',
    run: (scale) => run(scale, REPLAYED),
  },
  {
    id: 'F01-fail',
    title: 'what a killed node ran and may not run twice fails within a lease and two beats',
    run: (scale) => run(scale, FAILED),
  },
];

function run(scale: FaultScale, recovery: Recovery): Promise<FaultReport> {
  const { leaseMs, takenOverMs, allowanceMs } = timingOf(scale);
  const { count, toolMs } = SIZES[scale];
  return withCluster({ leaseMs, limits: { maxRunning: count }, nodes: ['a', 'b'] }, async (cluster, [a]) => {
    const jobs = await startJobs(a!.client(), { tool: recovery.tool, count, args: { ms: toolMs } });
    await allCounted(cluster, jobs);
    const killedAt = await cluster.tasks.now();
    await a!.end('SIGKILL');
    const atWork = await cluster.tasks.open();
    const stored = await allEnded(cluster);
    const took = lastWriteAfter(killedAt, stored);
    const executions = Math.max(...timesOf(await cluster.tasks.counts(), 'begun', jobs));
    const right = stored.filter(({ record }) => recovery.isRight(record)).length;
    const bound = takenOverMs + (recovery.isRun ? toolMs : 0) + allowanceMs;
    const checks = new Checks();
    const before = completedBy(stored, 'a');
    checks.that(
      right === atWork && before === count - atWork,
      `${right} ended so of ${atWork} at work, ${before} of ${count} were done before`,
    );
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.that(executions <= recovery.executions, `one was executed ${executions} times`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of one of two nodes, ${count} tasks at work, lease ${leaseMs} ms`,
      fired: evidence(atWork, 'tasks were at work on it'),
      expected: `all ${recovery.ends} within ${bound} ms, each once`,
      seen: `${right} did, the last after ${took} ms, executions at most ${executions}`,
    });
  });
}
