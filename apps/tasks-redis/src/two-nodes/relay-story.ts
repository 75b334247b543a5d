import { setTimeout } from 'node:timers/promises';
import { callOf } from '@mocapi/demo';
import type { Relay } from '../tools/relay.tools.js';
import type { NodeProcess } from './node-process.js';
import type { Answer, ProxyClient } from './proxy-client.js';
import { seconds, type Tell } from './timeline.js';

/** The nodes, clients and output of the demo. */
export interface Stage {
  readonly client: ProxyClient;
  readonly nodes: readonly NodeProcess[];
  readonly leaseMs: number;
  readonly tell: Tell;
}

/** How the story ended. */
export interface Ending {
  readonly killed: NodeProcess;
  readonly relay: Relay;
}

const LAPS = 8;
const LAP_MS = 500;
/** Enough for a person to see that it runs; enough is left to see it go on. */
const LAPS_BEFORE_THE_KILL = 3;
const POLL_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * Starts a task, kills the node that runs it in the middle of a lap, and polls until the task has ended.
 * @throws Error when the task does not end as it should: not killed, not completed, a lap missing, or none run by another node
 */
export async function tellRelay(stage: Stage): Promise<Ending> {
  const { client, tell } = stage;
  const started = await client.start(callOf('relay', { laps: LAPS, lapMs: LAP_MS }));
  const { taskId } = started.task;
  tell('client', `tools/call relay, ${LAPS} laps of ${LAP_MS} ms: answered by ${started.by}, task ${taskId}`);
  const poll = poller(stage, taskId);
  const lap = await poll((answer) => lapOf(answer)?.number === LAPS_BEFORE_THE_KILL);
  const killed = await killRunner(stage, lapOf(lap)!.node);
  const killedAt = performance.now();
  const onward = await poll((answer) => isOver(answer) || (lapOf(answer)?.node ?? killed.name) !== killed.name);
  tell(
    'demo',
    `continues ${seconds(performance.now() - killedAt)} s after the kill, at lap ${LAPS_BEFORE_THE_KILL + 1}: the laps before it were recorded`,
  );
  const { task } = isOver(onward) ? onward : await poll(isOver);
  return { killed, relay: checked(task.result?.structuredContent as Relay | undefined, { task, killed }) };
}

/** Polls until an answer satisfies `willDo`, and prints each answer with something new. */
function poller({ client, tell }: Stage, taskId: string): (willDo: (answer: Answer) => boolean) => Promise<Answer> {
  let told = '';
  return async (willDo) => {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await setTimeout(POLL_MS)) {
      const answer = await client.get(taskId);
      const news = textOf(answer);
      if (news !== told) tell('client', `tasks/get: ${(told = news)} (answered by ${answer.by})`);
      if (willDo(answer)) return answer;
      if (isOver(answer)) break;
    }
    throw new Error(`The task did not run as expected: ${told}`);
  };
}

async function killRunner({ nodes, leaseMs, tell }: Stage, name: string): Promise<NodeProcess> {
  const node = nodes.find((candidate) => candidate.name === name);
  if (!node) throw new Error(`The task is run by ${name}, which this demo did not start`);
  tell('demo', `kill -9 ${node.pid}: ${name} runs the task and dies in the middle of lap ${LAPS_BEFORE_THE_KILL + 1}`);
  const signal = await node.kill();
  if (signal !== 'SIGKILL') throw new Error(`${name} ended with ${signal} before it was killed`);
  tell('demo', `${name} is dead (${signal}); its lease of ${seconds(leaseMs)} s runs out, then another node takes over`);
  return node;
}

/** Which lap was finished last, and by whom, as the task's message says. */
function lapOf({ task }: Answer): { readonly number: number; readonly node: string } | undefined {
  const [, number, node] = /: lap (\d+) run by (\S+)$/.exec(task.statusMessage ?? '') ?? [];
  return number && node ? { number: Number(number), node } : undefined;
}

function isOver({ task }: Answer): boolean {
  return task.status !== 'working';
}

function textOf({ task: { status, statusMessage, error } }: Answer): string {
  const told = error ? `${error.code} ${error.message}` : statusMessage;
  return told === undefined ? status : `${status}, "${told}"`;
}

function checked(relay: Relay | undefined, { task, killed }: { task: Answer['task']; killed: NodeProcess }): Relay {
  const laps = relay?.ranBy ?? [];
  const goes = laps.length === LAPS && laps.includes(killed.name) && laps.at(-1) !== killed.name;
  if (task.status !== 'completed' || !goes) throw new Error(`The task did not end as expected: ${JSON.stringify(task)}`);
  return relay!;
}
