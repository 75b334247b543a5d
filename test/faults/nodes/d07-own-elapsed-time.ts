import { setTimeout } from 'node:timers/promises';
import { redisUrl, startRedisProxy, type RedisProxy } from '@mocapi/redis-harness';
import { withCleanup, type Cleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import { startJobs, timesOf } from './support/jobs.js';
import { timingOf } from './support/lease.js';
import { Checks } from './support/verdict.js';
import { allCounted, allEnded, completedBy, lastWriteAfter } from './support/waits.js';

/** A link that breaks for `BROKEN_MS` in every lease leaves time for two or three beats in a row. */
const BROKEN_LEASE_MS = 3000;
const BROKEN_MS = 1300;
/** Silence is counted while the link holds, which is half of the time, and a reconnection takes up to a beat of it. */
const BROKEN_LEASES = 6;
const NODES = ['a', 'b', 'c'];

/** Whether a node lives is judged by the elapsed time of who looks (D-7). */
export const ownElapsedTime: readonly Fault[] = [
  { id: 'D-7-clock', title: 'a clock of Redis that steps forward by more than a lease robs nobody', run: runClock },
  {
    id: 'D-7-link',
    title: 'a survivor whose link breaks in every lease takes over nevertheless',
    run: () => withCleanup(runLink),
  },
];

/** All that looks at the signs of life compares them with the clock, so to set them back is to set the clock forward. */
async function runClock(scale: FaultScale): Promise<FaultReport> {
  const { leaseMs } = timingOf(scale);
  const { count, steps } = scale === 'short' ? { count: 10, steps: 2 } : { count: 100, steps: 10 };
  return withCluster({ leaseMs, limits: { maxRunning: 500 }, nodes: NODES }, async (cluster, nodes) => {
    const args = { ms: (steps + 2) * leaseMs };
    const started = await Promise.all(
      nodes.map((node) => startJobs(node.client(), { tool: 'sleep_fail', count, args, called: `on-${node.name}` })),
    );
    const jobs = started.flat();
    await allCounted(cluster, jobs);
    const before = await cluster.tasks.sessions();
    let late = 0;
    for (let step = 0; step < steps; step++) {
      late += await cluster.tasks.setSignsBack(1.5 * leaseMs);
      await setTimeout(leaseMs);
    }
    const after = await cluster.tasks.sessions();
    const stored = await allEnded(cluster, args.ms + 20_000);
    const executions = Math.max(...timesOf(await cluster.tasks.counts(), 'begun', jobs));
    const checks = new Checks();
    checks.that(completedBy(stored) === jobs.length, `${jobs.length - completedBy(stored)} were not completed`);
    checks.that(executions === 1, `one was executed ${executions} times`);
    checks.that(after.toSorted().join() === before.toSorted().join(), 'a node was taken for dead');
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `${steps} steps of the clock by ${1.5 * leaseMs} ms, ${jobs.length} tasks on ${NODES.length} nodes, lease ${leaseMs} ms`,
      fired: evidence(late, 'signs of life were older than a lease at a step'),
      expected: 'all completed, each executed once, and no session lost',
      seen: `${completedBy(stored)} completed, executions at most ${executions}`,
    });
  });
}

async function runLink(cleanup: Cleanup): Promise<FaultReport> {
  const [leaseMs, toolMs, count] = [BROKEN_LEASE_MS, 1500, 50];
  const proxy = cleanup.add(await startRedisProxy(Number(new URL(redisUrl()).port)), (it) => it.stop());
  return withCluster({ leaseMs, limits: { maxRunning: 500 }, nodes: ['a'] }, async (cluster, [a]) => {
    await cluster.start('b', { redisUrl: proxy.url });
    const link = breaking(proxy);
    const jobs = await startJobs(a!.client(), { tool: 'sleep_replay', count, args: { ms: toolMs } });
    await allCounted(cluster, jobs);
    const killedAt = await cluster.tasks.now();
    await a!.end('SIGKILL');
    const atWork = await cluster.tasks.open();
    const stored = await allEnded(cluster, 60_000).finally(() => link.stop());
    const took = lastWriteAfter(killedAt, stored);
    const bound = BROKEN_LEASES * leaseMs + toolMs;
    const checks = new Checks();
    checks.that(
      completedBy(stored, 'b') === atWork,
      `${atWork - completedBy(stored, 'b')} of ${atWork} were not completed by the survivor`,
    );
    checks.that(took <= bound, `the last took longer than ${bound} ms`);
    checks.none(await brokenInvariants(cluster));
    return checks.report({
      injected: `kill -9 of a node with ${count} tasks at work; the link of the other breaks for ${BROKEN_MS} ms in each lease of ${leaseMs} ms`,
      fired: evidence(atWork > 0 ? link.broken() : 0, `breaks of the only link by which ${atWork} tasks could be taken over`),
      expected: `all completed by the other within ${bound} ms`,
      seen: `${completedBy(stored, 'b')} of ${atWork} completed there, the last after ${took} ms`,
    });
  });
}

interface BreakingLink {
  /** How often it broke while something was to pass. */
  broken(): number;
  /** From now on it holds. */
  stop(): Promise<void>;
}

/** Breaks the connections through `proxy` in every lease, and lets nothing pass for a while. */
function breaking(proxy: RedisProxy): BreakingLink {
  const ended = new AbortController();
  let broken = 0;
  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const stall = proxy.stall();
      if (proxy.dropAll() > 0) broken += 1;
      await setTimeout(BROKEN_MS);
      proxy.dropAll();
      stall.end();
      await setTimeout(BROKEN_LEASE_MS - BROKEN_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const done = loop();
  return {
    broken: () => broken,
    stop: async () => {
      ended.abort();
      await done;
    },
  };
}
