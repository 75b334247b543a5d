import type { Load } from '../load/http-load.js';
import type { Cell } from '../measure/cell.js';

/** A cell whose process does the work itself, without HTTP, and uses Redis. `task` is what it is asked to do. */
export function workerCell(title: string, subject: string, task: string): Cell {
  return { title, subject, usesRedis: true, begin: (worker) => Promise.resolve((length) => worker.ask<Load>(task, length)) };
}
