import type { McpTestClient } from '@mocapi/testing';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster, type Cluster } from './support/cluster.js';
import { startJob } from './support/jobs.js';
import type { NodeProcess } from './support/node-process.js';
import { percentile } from './support/percentile.js';
import { loadStorm, type PollStorm } from './support/poll-storm.js';
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

async function run(scale: FaultScale): Promise<FaultReport> {
  const size = scale === 'short' ? { pollers: 50, ms: 1500 } : { pollers: 200, ms: 8000 };
  const storm = await loadStorm();
  try {
    return await withCluster({ leaseMs: 15_000, nodes: ['a'] }, (cluster, [a]) => weather(cluster, { node: a!, storm, ...size }));
  } finally {
    storm.end();
  }
}

/** The storm, what it meets, and its size. */
interface Weather {
  readonly node: NodeProcess;
  readonly storm: PollStorm;
  readonly pollers: number;
  readonly ms: number;
}

async function weather({ history }: Cluster, { node, storm, pollers, ms }: Weather): Promise<FaultReport> {
  const { taskId } = await startJob(node.client('hot'), 'sleep_replay', { job: 'hot', ms: 60_000 });
  const calm = await victimsWaits(node.client('victim'), performance.now() + CALM_MS);
  await history.caughtUp();
  const before = history.timesAsked('getrange');
  const from = performance.now();
  const raging = storm.rage({ url: node.url, taskId, user: 'hot', pollers, ms });
  const disturbed = await victimsWaits(node.client('victim'), from + ms);
  const { answered, refused } = await raging;
  const took = performance.now() - from;
  await history.caughtUp();
  const reads = history.timesAsked('getrange') - before;
  const allowed = Math.ceil(took / CACHED_MS) + 1;
  const p50 = percentile(disturbed, 50);
  const checks = new Checks();
  checks.that(refused === 0, `${refused} polls were refused`);
  checks.that(reads > 0 && reads <= allowed, `${reads} reads, ${allowed} are allowed`);
  checks.that(p50 <= VICTIM_P50_MS, `the victim waited ${p50.toFixed(1)} ms in the middle`);
  return checks.report({
    injected: `${pollers} clients polling one task for ${Math.round(took)} ms`,
    fired: evidence(answered > allowed ? answered : 0, 'polls answered'),
    expected: `at most ${allowed} reads, another caller answered within ${VICTIM_P50_MS} ms (p50)`,
    seen: `${reads} reads (${Math.round((reads * 1000) / took)}/s), another caller's p50 ${percentile(calm, 50).toFixed(1)} -> ${p50.toFixed(1)} ms, p99 ${percentile(disturbed, 99).toFixed(1)} ms`,
  });
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
