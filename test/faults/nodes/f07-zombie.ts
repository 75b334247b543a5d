import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { until } from './support/until.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy } from './support/waits.js';

const SIZES = { short: { count: 60, toolMs: 1500 }, long: { count: 200, toolMs: 2500 } } as const;

/** A node that stands still for longer than its lease and then goes on (F07). Its bodies don't listen to anybody, so all of them come to their end. */
export const zombie: Fault = {
  id: 'F07',
  title: 'whatever a node writes that was taken for dead changes nothing',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { count, toolMs } = SIZES[scale];
  const settings = { leaseMs: timingOf(scale).leaseMs, limits: { maxRunning: count }, observed: true, nodes: ['a', 'b'] };
  return withCluster(settings, async (cluster, [a]) => {
    const jobs = await startJobs(a!.client(), { tool: 'sleep_deaf', count, args: { ms: toolMs } });
    await allCounted(cluster, jobs);
    a!.signal('SIGSTOP');
    const again = async () => timesOf(await cluster.tasks.counts(), 'begun', jobs).filter((times) => times === 2).length;
    await until(again, (begun) => begun === count, { what: 'the other node begins all of them again', timeoutMs: 15_000 });
    a!.signal('SIGCONT');
    const refused = async () => (await cluster.tasks.counts()).get('unchanged:a') ?? 0;
    const discarded = await until(refused, (times) => times >= count, { what: 'late writes are discarded', timeoutMs: 10_000 }).catch(
      refused,
    );
    const meanwhile = await cluster.tasks.atWork();
    const stored = await allEnded(cluster);
    const twice = timesOf(await cluster.tasks.counts(), 'finished', jobs).filter((times) => times === 2).length;
    const checks = new Checks();
    checks.that(completedBy(stored, 'b') === count, `${count - completedBy(stored, 'b')} are not the other node's`);
    checks.that(twice === count, `${count - twice} bodies did not end on both nodes`);
    checks.that(discarded >= count, `only ${discarded} late writes were seen to be discarded`);
    checks.that(a!.output().includes('silent for longer than its lease'), 'the node was not told that it was taken for dead');
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `SIGSTOP of a node with ${count} tasks for longer than its lease, then SIGCONT`,
      fired: evidence(meanwhile, 'tasks were at work on the other node when all its late writes had come'),
      expected: `${count} late writes discarded, every result the other node's`,
      seen: `${discarded} discarded, ${completedBy(stored, 'b')} results of the other, each body ended ${twice === count ? 'twice' : 'otherwise'}`,
    });
  });
}
