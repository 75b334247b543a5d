import type { McpTestClient } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster } from './support/cluster.js';
import { startJob } from './support/jobs.js';
import { percentile } from './support/percentile.js';
import { Checks } from './support/verdict.js';

/** A task is read from the store at most once in this time on a node. */
const CACHED_MS = 25;
const CALM_MS = 500;
/** What a victim is granted beside a storm that takes a whole processor; the tests and Redis share two. */
const VICTIM_P50_MS = 250;

/** Clients that poll one task as fast as they can, and another who wants to be answered meanwhile (F49). */
export const pollStorm: Fault = {
  id: 'F49',
  title: 'a storm of polls reads the store no oftener than its cache allows, and leaves others alone',
  run,
};

function run(scale: FaultScale): Promise<FaultReport> {
  const { pollers, stormMs } = scale === 'short' ? { pollers: 50, stormMs: 1500 } : { pollers: 200, stormMs: 8000 };
  return withCluster({ leaseMs: 15_000, nodes: ['a'] }, async (cluster, [a]) => {
    const { taskId } = await startJob(a!.client('hot'), 'sleep_replay', { job: 'hot', ms: 60_000 });
    const calm = await victimsWaits(a!.client('victim'), performance.now() + CALM_MS);
    await cluster.history.caughtUp();
    const before = cluster.history.timesAsked('hmget');
    const from = performance.now();
    const storm = Promise.all(Array.from({ length: pollers }, () => poll(a!.client('hot'), { taskId, until: from + stormMs })));
    const disturbed = await victimsWaits(a!.client('victim'), from + stormMs);
    const polls = await storm;
    const took = performance.now() - from;
    await cluster.history.caughtUp();
    const reads = cluster.history.timesAsked('hmget') - before;
    const answered = polls.reduce((sum, { answered: count }) => sum + count, 0);
    const refused = polls.reduce((sum, { refused: count }) => sum + count, 0);
    // The last of them may just have come when the time was over.
    const allowed = Math.ceil(took / CACHED_MS) + 1;
    const [p50, p99] = [percentile(disturbed, 50), percentile(disturbed, 99)];
    const checks = new Checks();
    checks.that(refused === 0, `${refused} polls were refused`);
    checks.that(reads > 0 && reads <= allowed, `${reads} reads, ${allowed} are allowed`);
    checks.that(p50 <= VICTIM_P50_MS, `the victim waited ${p50.toFixed(1)} ms in the middle`);
    return checks.report({
      injected: `${pollers} clients polling one task for ${Math.round(took)} ms`,
      fired: evidence(answered > 4 * allowed ? answered : 0, 'polls answered'),
      expected: `at most ${allowed} reads, another caller answered within ${VICTIM_P50_MS} ms (p50)`,
      seen: `${reads} reads (${Math.round((reads * 1000) / took)}/s), victim p50 ${percentile(calm, 50).toFixed(1)} -> ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    });
  });
}

/** Polls until the given moment, without a rest. */
async function poll(client: McpTestClient, { taskId, until }: { readonly taskId: string; readonly until: number }) {
  const seen = { answered: 0, refused: 0 };
  while (performance.now() < until) {
    const { result } = await client.request('tasks/get', { taskId });
    if (result?.status === 'working') seen.answered += 1;
    else seen.refused += 1;
  }
  return seen;
}

/** How long another caller waits for each of its calls until the given moment, in milliseconds. They read nothing. */
async function victimsWaits(client: McpTestClient, until: number): Promise<number[]> {
  const waits: number[] = [];
  while (performance.now() < until) {
    const from = performance.now();
    await client.callTool('quick');
    waits.push(performance.now() - from);
  }
  return waits;
}
