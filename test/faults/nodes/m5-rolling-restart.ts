import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '@mocapi/core';
import { accept, McpTestClient, type McpReply } from '@mocapi/testing';
import { startRoundRobinProxy, type Upstream } from '../../../apps/tasks-redis/src/two-nodes/round-robin-proxy.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { withCluster, type Cluster } from './support/cluster.js';
import { brokenInvariants } from './support/invariants.js';
import type { NodeProcess } from './support/node-process.js';
import { RestartingClient } from './support/restarting-client.js';
import { Checks } from './support/verdict.js';

const LEASE_MS = 15_000;
const TOOL_MS = 400;
const POLL_MS = 150;
const SIZES = { short: { calls: 200, clients: 12 }, long: { calls: 1000, clients: 40 } } as const;

// Both nodes are restarted, one after the other, while clients call through a proxy that takes them in turn; tasks are at work all the while. Every call
// counts.

/** As a deployment does it: the node leaves the proxy's turn first, and what it was asked before is answered. */
export const announcedRestarts: Fault = {
  id: 'M5',
  title: 'a rolling restart of two nodes under a thousand mixed calls fails no poll and loses no task',
  limitMs: { short: 60_000 },
  run: (scale) => run(scale, { isAnnounced: true }),
};

/** The node is told to end without warning, and the proxy goes on to send it calls. */
export const abruptRestarts: Fault = {
  id: 'M5-abrupt',
  title: 'a rolling restart that nobody has told the proxy of fails no poll and loses no task',
  limitMs: { short: 60_000 },
  run: (scale) => run(scale, { isAnnounced: false }),
};

/** What clients have seen. A poll fails if it is answered by anything but the task. */
class Tally {
  calls = 0;
  polls = 0;
  failedPolls = 0;
  readonly failures: string[] = [];
  readonly lost: string[] = [];

  failed(what: string, reply: McpReply | Error): void {
    this.failures.push(`${what}: ${reply instanceof Error ? String(reply) : `${reply.status} ${reply.raw.slice(0, 150)}`}`);
  }
}

function run(scale: FaultScale, { isAnnounced }: Pick<Rollout, 'isAnnounced'>): Promise<FaultReport> {
  const { calls, clients } = SIZES[scale];
  return withCluster({ leaseMs: LEASE_MS, limits: { maxRunning: 500 }, nodes: ['a', 'b'] }, async (cluster, nodes) => {
    const turn = nodes.map(upstreamOf);
    const proxy = await startRoundRobinProxy(turn);
    try {
      const tally = new Tally();
      const client = new RestartingClient(new McpTestClient(`${proxy.origin}/mcp`).withTasks());
      let isOver = false;
      const restarts = restartAll(cluster, { nodes, turn, client, isAnnounced }).finally(() => (isOver = true));
      await Promise.all(Array.from({ length: clients }, () => work(client, tally, () => tally.calls < calls || !isOver)));
      const { codes: endings, atWork } = await restarts;
      const checks = new Checks();
      checks.that(tally.failedPolls === 0, `${tally.failedPolls} polls failed`);
      checks.none(tally.failures);
      checks.none(tally.lost);
      checks.that(
        endings.every((code) => code === 0),
        `the nodes ended with ${endings.join(' and ')}`,
      );
      checks.none(await brokenInvariants(cluster));
      return checks.report({
        injected: `SIGTERM${isAnnounced ? '' : ' without warning'} and a new start of each of two nodes in turn, under ${tally.calls} calls of ${clients} clients`,
        fired: evidence(atWork, `tasks were at work as ${endings.length} nodes were told to end`),
        expected: 'no failed poll, no lost task, no failed call, exit 0',
        seen: `${tally.failedPolls} of ${tally.polls} polls failed, ${tally.lost.length} tasks lost, ${tally.failures.length} calls failed, ${client.sentAgain} sent again after 503 or data.retryAfterMs`,
      });
    } finally {
      await proxy.close();
    }
  });
}

function upstreamOf({ name, url }: NodeProcess): Upstream {
  const { hostname, port } = new URL(url);
  return { name, host: hostname, port: Number(port) };
}

/** What is restarted: the nodes, whose turn it is at the proxy, and who calls. */
interface Rollout {
  readonly nodes: readonly NodeProcess[];
  readonly turn: Upstream[];
  readonly client: RestartingClient;
  /** Whether the proxy is told before the node is. */
  readonly isAnnounced: boolean;
}

/** Restarts one node after the other, with a moment of calm between in which tasks begin on both. @returns their exit codes, and how many tasks were at work then */
async function restartAll(
  cluster: Cluster,
  { nodes, turn, client, isAnnounced }: Rollout,
): Promise<{ codes: (number | null)[]; atWork: number }> {
  const codes: (number | null)[] = [];
  let atWork = 0;
  const leaveTurn = ({ name }: NodeProcess) =>
    turn.splice(
      turn.findIndex((upstream) => upstream.name === name),
      1,
    );
  for (const node of nodes) {
    await setTimeout(TOOL_MS);
    if (isAnnounced) {
      leaveTurn(node);
      await client.answered();
    }
    atWork += await cluster.tasks.atWork();
    const { code } = await node.end('SIGTERM');
    codes.push(code);
    if (!isAnnounced) leaveTurn(node);
    turn.push(upstreamOf(await cluster.start(`${node.name}-again`)));
  }
  return { codes, atWork };
}

/** One client: a synchronous call, a task that is polled to its end, a task that asks, and so on. */
async function work(client: RestartingClient, tally: Tally, goesOn: () => boolean): Promise<void> {
  for (let round = 0; goesOn(); round++) {
    const number = ++tally.calls;
    const doing = [quick, sleep, ask][round % 3]!;
    await doing(client, tally, `job-${number}`).catch((error: unknown) => tally.failed(doing.name, error as Error));
  }
}

async function quick(client: RestartingClient, tally: Tally): Promise<void> {
  const reply = await client.request('tools/call', { name: 'quick', arguments: {} });
  if (typeof reply.result?.structuredContent?.node !== 'string') tally.failed('quick', reply);
}

async function sleep(client: RestartingClient, tally: Tally, job: string): Promise<void> {
  const taskId = await begin(client, tally, { name: 'sleep_replay', arguments: { job, ms: TOOL_MS } });
  if (taskId) await pollUntil(client, tally, { taskId, status: 'completed' });
}

async function ask(client: RestartingClient, tally: Tally, job: string): Promise<void> {
  const taskId = await begin(client, tally, { name: 'ask', arguments: { job } });
  if (!taskId || !(await pollUntil(client, tally, { taskId, status: 'input_required' }))) return;
  const answer = await client.request('tasks/update', { taskId, inputResponses: { go: accept({ yes: true }) } });
  if (answer.result?.resultType !== 'complete') return tally.failed('tasks/update', answer);
  await pollUntil(client, tally, { taskId, status: 'completed' });
}

async function begin(client: RestartingClient, tally: Tally, params: JsonObject): Promise<string | undefined> {
  const reply = await client.request('tools/call', params);
  if (reply.result?.taskId === undefined) tally.failed('tools/call', reply);
  return reply.result?.taskId;
}

/** Polls as a client does. A task that ends otherwise, or not within 30 s, is lost. */
async function pollUntil(client: RestartingClient, tally: Tally, { taskId, status }: { taskId: string; status: string }): Promise<boolean> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await setTimeout(POLL_MS)) {
    tally.polls += 1;
    const reply = await client.request('tasks/get', { taskId }).catch((error: unknown) => error as Error);
    if (reply instanceof Error || reply.result === undefined) {
      tally.failedPolls += 1;
      tally.failed('tasks/get', reply);
    } else if (reply.result.status === status) return true;
    else if (reply.result.status !== 'working' && reply.result.status !== 'input_required') break;
  }
  tally.lost.push(`task ${taskId} did not become ${status}`);
  return false;
}
