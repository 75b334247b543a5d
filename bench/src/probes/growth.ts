import { requestBytes, taskCall, taskGet } from '../load/mcp-request.js';
import { shoot, type Cell } from '../measure/cell.js';
import { createAndAnswer, createTask, httpCell } from '../rows/http-cells.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { ECHO_TEXT } from '../servers/echo-text.js';
import { createTasks, withServer, type ProbeServer } from './with-subject.js';

/** Numbers of completed tasks in memory at which each operation is measured. */
export const SIZES = [100, 1_000, 10_000, 100_000] as const;
const LENGTH = { ms: 200, operations: 1500 };
const SHOTS = 3;
const SUBJECT = 'tasks';
const KEEP = taskCall('task_keep', { text: ECHO_TEXT });

/**
 * Measures whether operations on tasks cost more when more tasks are in memory.
 *
 * For each size in `SIZES` (for example 1,000 tasks) the result has:
 * - `create-1000`, `get-1000`, `update-1000`: microseconds of CPU of one operation,
 * - `heap-1000`: bytes of heap for each task,
 * - `sweep-1000`: microseconds of CPU to remove one expired task (not measured at the smallest size).
 *
 * `heap` and `sweep` are ratios: the value at the largest size, divided by the value at 1,000.
 */
export async function growthOfTasks(): Promise<ProbeResult> {
  const costs = await withServer({ ...SUBJECTS[SUBJECT]!, nodeArgs: ['--expose-gc'] }, costsOfOperations);
  const sweeps = await withServer(SUBJECTS[SUBJECT]!, costsOfSweeps);
  const all = { ...costs, ...sweeps };
  const last = SIZES.at(-1)!;
  return { ...all, heap: all[`heap-${last}`]! / all['heap-1000']!, sweep: all[`sweep-${last}`]! / all['sweep-1000']! };
}

async function costsOfOperations(server: ProbeServer): Promise<Record<string, number>> {
  const costs: Record<string, number> = {};
  const polls: Buffer[] = [];
  // Compiled and loaded, so that the heap grows by tasks alone.
  const [warm] = await createTasks(server, KEEP, LENGTH.operations);
  for (const cell of Object.values(cellsOver([requestBytes(taskGet(warm!))]))) await best(server, cell);
  const empty = await server.subject.ask<number>('memory');
  for (const size of SIZES) {
    const made = await createTasks(server, KEEP, size - polls.length);
    polls.push(...made.map((taskId) => requestBytes(taskGet(taskId))));
    costs[`heap-${size}`] = ((await server.subject.ask<number>('memory')) - empty) / size;
    for (const [name, cell] of Object.entries(cellsOver(polls))) costs[`${name}-${size}`] = await best(server, cell);
  }
  return costs;
}

function cellsOver(polls: readonly Buffer[]): Record<string, Cell> {
  const any = () => polls[Math.floor(Math.random() * polls.length)]!;
  const cell = (operation: Parameters<typeof httpCell>[0]['operation']) => httpCell({ title: '', subject: SUBJECT, operation });
  return { create: cell(createTask), get: cell(() => ({ request: any, expected: ECHO_TEXT })), update: cell(createAndAnswer) };
}

/** The cheapest of some shots. */
async function best({ subject }: ProbeServer, cell: Cell): Promise<number> {
  const costs: number[] = [];
  for (let shot = 0; shot < SHOTS; shot += 1) {
    costs.push((await shoot(cell, subject, { length: LENGTH, redisCpu: undefined })).cpuUs);
  }
  return Math.min(...costs);
}

async function costsOfSweeps({ subject }: ProbeServer): Promise<Record<string, number>> {
  const costs: Record<string, number> = {};
  await subject.ask('sweep', SIZES[1]);
  for (const size of SIZES.slice(1)) costs[`sweep-${size}`] = await subject.ask<number>('sweep', size);
  return costs;
}
