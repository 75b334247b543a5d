import type { TaskView } from './task-record.js';

/** Members that a client sees, without `lastUpdatedAt`: that alone is no news. */
const VISIBLE = ['status', 'statusMessage', 'createdAt', 'ttlMs', 'pollIntervalMs', 'inputRequests', 'result', 'error'] as const;

/** Whether a client sees the same in both states of a task, apart from when it was updated: a step, or another node that runs it, changes nothing else. */
export function looksAlike(one: TaskView, other: TaskView): boolean {
  return VISIBLE.every((name) => one[name] === other[name] || JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
