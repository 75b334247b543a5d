import { withDocument, withFormat } from '../../support/task-string.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster, type Cluster } from './support/cluster.js';
import { sayYes, startJob, startJobs, type Job } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { until } from './support/until.js';
import { Checks } from './support/verdict.js';
import { allAre, allCounted } from './support/waits.js';

const FUTURE = { since: 'a later release', deep: [1, { ключ: '\u0000"\\' }] };
const NEWER_FORMAT = 99;

/** Records that a newer release wrote (F11). */
export const mixedVersions: readonly Fault[] = [
  { id: 'F11-members', title: 'members of a record that a node does not know survive its writes', run: runMembers },
  { id: 'F11-format', title: 'a record in a newer format is left to newer nodes, and keeps nobody from the others', run: runFormat },
];

function runMembers(scale: FaultScale): Promise<FaultReport> {
  return withCluster({ leaseMs: timingOf(scale).leaseMs, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const job = await startJob(a!.client(), 'ask', { job: 'newer' });
    await allAre(cluster, 'input_required', 1);
    const written = await writeFuture(cluster, job);
    await sayYes(b!.client(), job);
    await allAre(cluster, 'completed', 1);
    const [task] = await cluster.tasks.all();
    const kept = JSON.stringify((task!.record as { future?: unknown }).future);
    const checks = new Checks();
    checks.that(kept === JSON.stringify(FUTURE), 'they are not there any more, or not the same');
    checks.that(task!.version === 5, `the record was written ${task!.version} times in all`);
    return checks.report({
      injected: 'a member that no node knows, written into a parked record',
      fired: evidence(written, 'record changed behind the nodes'),
      expected: 'the same member after the node had written flip and result',
      seen: `${kept} in version ${task!.version}`,
    });
  });
}

/** Adds a member to the record, as a newer node would have written it. */
async function writeFuture({ redis, tasks }: Cluster, { taskId }: Job): Promise<number> {
  const key = tasks.keyOf(taskId);
  await redis.set(
    key,
    withDocument((await redis.get(key))!, (document) => ({ ...document, future: FUTURE })),
    'KEEPTTL',
  );
  return (await redis.get(key))!.includes('a later release') ? 1 : 0;
}

function runFormat(scale: FaultScale): Promise<FaultReport> {
  return withCluster({ leaseMs: timingOf(scale).leaseMs, nodes: ['a', 'b'] }, async (cluster, [a, b]) => {
    const newer = await startJob(a!.client(), 'sleep_replay', { job: 'newer', ms: 60_000 });
    const others = await startJobs(a!.client(), { tool: 'sleep_replay', count: 5, args: { ms: 1500 } });
    await allCounted(cluster, [newer, ...others]);
    const key = cluster.tasks.keyOf(newer.taskId);
    await a!.end('SIGKILL');
    await cluster.redis.set(key, withFormat((await cluster.redis.get(key))!, NEWER_FORMAT), 'KEEPTTL');
    const before = await cluster.redis.get(key);
    await allAre(cluster, 'completed', others.length);
    const looked = await looksOf(cluster);
    const asked = await b!.client().request('tasks/get', { taskId: newer.taskId });
    const after = await cluster.redis.get(key);
    const alive = await b!.client().callTool('quick');
    const checks = new Checks();
    checks.that(after === before, 'the record was changed');
    checks.that(asked.error?.code === -32603, `tasks/get answered ${asked.raw.slice(0, 200)}`);
    checks.that(/newer version/.test(asked.error?.message ?? ''), `tasks/get told "${asked.error?.message}"`);
    checks.that(alive.result?.structuredContent?.node === 'b', 'the node did not answer any more');
    return checks.report({
      injected: `format ${NEWER_FORMAT} in the record of a task whose node was killed, 5 others beside it`,
      fired: evidence(looked, 'looks of the survivor at it'),
      expected: 'not a byte of it changed, -32603 for whoever asks, the others completed',
      seen: `unchanged: ${after === before}, ${asked.error?.code}, ${others.length} others completed`,
    });
  });
}

/** Waits until the survivor has looked three more times at what the dead node ran, of which the newer record is all that is left. @returns how often it has */
async function looksOf({ redis }: Cluster): Promise<number> {
  const looks = async (): Promise<number> => Number(/cmdstat_srandmember:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
  const before = await looks();
  const after = await until(looks, (times) => times >= before + 3, { what: 'the survivor looks at the newer record', timeoutMs: 15_000 });
  return after - before;
}
