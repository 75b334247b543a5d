import { setTimeout as sleep } from 'node:timers/promises';
import { firstRun, newTaskId, type InMemoryTaskStore, type TaskDraft } from '@mocapi/tasks';

/** So long that all tasks are made before the first one ends. */
const TTL_MS = 4000;
const ROOM_MS = 100;

/** CPU of removing one of `count` tasks that expire, in microseconds. */
export async function sweepCost(store: InMemoryTaskStore, count: number): Promise<number> {
  const began = Date.now();
  for (let made = 0; made < count; made += 1) await store.create(draft());
  if (Date.now() - began > TTL_MS - 2 * ROOM_MS) throw new Error(`Making ${count} tasks took ${Date.now() - began} ms`);
  await sleep(began + TTL_MS - ROOM_MS - Date.now());
  const before = process.cpuUsage();
  await sleep(began + TTL_MS - Date.now());
  while (store.size > 0) await sleep(20);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function draft(): TaskDraft {
  return {
    taskId: newTaskId(),
    toolName: 'task_keep',
    handlerVersion: '1',
    arguments: { text: 'expires' },
    protocolVersion: '2026-07-28',
    clientCapabilities: {},
    status: 'working',
    ttlMs: TTL_MS,
    pollIntervalMs: 2000,
    ledger: [],
    run: firstRun({ owner: 'bench', id: 'run' }),
  };
}
