import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs } from './support/jobs.js';
import type { NodeProcess } from './support/node-process.js';
import { until } from './support/until.js';
import { Checks } from './support/verdict.js';

/** Each change is this long, so that a few are more than the kernel's buffers take. */
const CHARACTERS = 40_000;
const BOUND_BYTES = 64 * 1024;
/** One message that was begun may stand behind what the bound allows. */
const ONE_MESSAGE = CHARACTERS + 1024;

/** A listener that stops reading while its tasks go on changing (F47). */
export const stalledListener: Fault = {
  id: 'F47',
  title: 'a listener that reads no more costs a bounded buffer, and sees every last state when it reads again',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { count, times } = scale === 'short' ? { count: 60, times: 12 } : { count: 200, times: 40 };
  return withCluster({ leaseMs: 15_000, limits: { maxRunning: count }, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const jobs = await startJobs(a!.client(), { tool: 'report', count, args: { times, characters: CHARACTERS } });
    const listener = await b!.client().listen({ taskIds: jobs.map(({ taskId }) => taskId) });
    await listener.acknowledged();
    listener.pause();
    const samples: Buffered[] = [];
    const sample = async () => (samples.push(await bufferedOn(b!)), cluster.tasks.open());
    await until(sample, (open) => open === 0, { what: 'all tasks end', timeoutMs: 60_000 });
    const stored = await cluster.tasks.all();
    await cluster.history.caughtUp();
    const bytes = cluster.history.commits.reduce((sum, { record }) => sum + (record.statusMessage?.length ?? 0), 0);
    const changes = cluster.history.commits.filter(({ version }) => version > 1).length;
    listener.resume();
    const told = async () =>
      new Set(listener.messages.filter(({ params }) => params?.status === 'completed').map(({ params }) => params?.taskId)).size;
    const last = await until(told, (seen) => seen === count, { what: 'the listener sees every end', timeoutMs: 10_000 }).catch(told);
    await listener.close();
    const fullest = Math.max(...samples.map(({ fullest: size }) => size));
    const checks = new Checks();
    checks.that(fullest <= BOUND_BYTES + ONE_MESSAGE, `${fullest} bytes were buffered`);
    checks.that(last === count, `${count - last} last states did not come`);
    checks.that(
      stored.every(({ record }) => record.status === 'completed'),
      'not all tasks were completed',
    );
    checks.that(listener.messages.length < changes / 2, `${listener.messages.length} of ${changes} changes were kept for it`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `a listener to ${count} tasks that reads nothing, while ${megabytes(bytes)} MB of changes are written`,
      fired: evidence(samples.filter(({ waiting }) => waiting > 0).length, 'times its socket was seen to be full'),
      expected: `at most ${BOUND_BYTES} bytes and one message buffered on the node, all ${count} last states once it reads again`,
      seen: `${fullest} bytes at most, ${last} last states, ${listener.messages.length} messages for ${changes} changes`,
    });
  });
}

interface Buffered {
  readonly fullest: number;
  readonly waiting: number;
}

async function bufferedOn(node: NodeProcess): Promise<Buffered> {
  const { result } = await node.client().callTool('buffered');
  return result!.structuredContent as Buffered;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
