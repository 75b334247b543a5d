import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from '../load/event-stream.js';
import { taskCall, taskListen } from '../load/mcp-request.js';
import { median } from '../measure/statistics.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { ECHO_TEXT } from '../servers/echo-text.js';
import { createTasks, withServer, type ProbeServer } from './with-subject.js';

const PUSHES = 100;
/** So that nothing of the task before it is still going on. */
const IDLE_MS = 10;
const WAIT = taskCall('task_wait', { text: ECHO_TEXT });

/** From the end of a body to the notification at a client of the same node, in milliseconds. */
export function pushInMemory(): Promise<ProbeResult> {
  return withServer(SUBJECTS['tasks']!, (node) => pushes(node, node));
}

/** The same in Redis, to a client of another node. */
export function pushByOtherNode(): Promise<ProbeResult> {
  return withServer(SUBJECTS['redis']!, (running) => withServer(SUBJECTS['redis']!, (listening) => pushes(running, listening)));
}

async function pushes(running: ProbeServer, listening: ProbeServer): Promise<ProbeResult> {
  const took: number[] = [];
  for (let count = 0; count < PUSHES; count += 1) took.push(await push(running, listening));
  return { p50: median(took.slice(PUSHES / 10)) };
}

async function push(running: ProbeServer, listening: ProbeServer): Promise<number> {
  const [taskId] = await createTasks(running, WAIT, 1);
  const stream = await EventStream.open(listening.subject.port, taskListen(taskId!));
  try {
    await stream.arrival('"working"');
    await sleep(IDLE_MS);
    const arrival = stream.arrival('"status":"completed"');
    const ended = BigInt(await running.subject.ask<string>('finish'));
    return Number((await arrival) - ended) / 1e6;
  } finally {
    stream.close();
  }
}
