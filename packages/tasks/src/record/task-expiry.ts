import type { TaskRecord } from './task-record.js';

/** The last millisecond of a task's life; null if it has no end. */
export function deadlineOf(record: Pick<TaskRecord, 'createdAt' | 'ttlMs'>): number | null {
  return record.ttlMs === null ? null : record.createdAt + record.ttlMs;
}

/** Whether the task may be read and changed. At its very deadline it still may. */
export function isAlive(record: Pick<TaskRecord, 'createdAt' | 'ttlMs'>, now: number): boolean {
  return record.ttlMs === null || now <= record.createdAt + record.ttlMs;
}
