import type { Redis } from 'ioredis';
import { taskCall } from '../load/mcp-request.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { ECHO_TEXT } from '../servers/echo-text.js';
import { createTasks, untilStatus, withServer, type ProbeServer } from './with-subject.js';

const PARKED = 5000;
const SLEEPING = 2000;
const ASK = taskCall('task_ask', { text: ECHO_TEXT });
const WAIT = taskCall('task_wait', { text: ECHO_TEXT });
const WITH_GC = { nodeArgs: ['--expose-gc'] };

/** Heap of a task in memory that waits for an answer, by the bytes of its record as JSON. */
export function parkedHeap(): Promise<ProbeResult> {
  return withServer({ ...SUBJECTS['tasks']!, ...WITH_GC }, async (server) => {
    await park(server, 500);
    const before = await heapOf(server);
    const json = await park(server, PARKED);
    return { heap: ((await heapOf(server)) - before) / PARKED / json };
  });
}

/** Memory of Redis for such a task, by the same bytes. */
export function parkedInRedis(redis: Redis): Promise<ProbeResult> {
  return withServer(SUBJECTS['redis']!, async (server) => {
    await park(server, 500);
    const before = await usedMemory(redis);
    const json = await park(server, PARKED);
    return { memory: ((await usedMemory(redis)) - before) / PARKED / json };
  });
}

/** Heap of a task whose body runs and sleeps, in KB. */
export function sleepingHeap(): Promise<ProbeResult> {
  return withServer({ server: 'tasks', env: { BENCH_RUNNING: '100000' }, ...WITH_GC }, async (server) => {
    await createTasks(server, WAIT, 200);
    const before = await heapOf(server);
    await createTasks(server, WAIT, SLEEPING);
    const sleepers = await server.subject.ask<number>('sleepers');
    if (sleepers !== SLEEPING + 200) throw new Error(`${sleepers} bodies sleep`);
    return { heap: ((await heapOf(server)) - before) / SLEEPING / 1024 };
  });
}

/** Resolves to the bytes of a record once all of them wait for their answer. */
async function park(server: ProbeServer, count: number): Promise<number> {
  const taskIds = await createTasks(server, ASK, count);
  for (const taskId of taskIds.slice(-64)) await untilStatus(server, taskId, 'input_required');
  return server.subject.ask<number>('recordBytes', taskIds[0]);
}

function heapOf({ subject }: ProbeServer): Promise<number> {
  return subject.ask<number>('memory');
}

async function usedMemory(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}
