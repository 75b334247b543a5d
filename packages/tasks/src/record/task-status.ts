import type { TaskStatus } from '../protocol/task-wire.js';

export type { TaskStatus } from '../protocol/task-wire.js';

/** A status that nothing leaves. */
export type TerminalTaskStatus = Extract<TaskStatus, 'completed' | 'failed' | 'cancelled'>;

/** Every status, in the order a task may pass them. */
export const TASK_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const satisfies readonly TaskStatus[];

/** Whether nothing leaves `status`. */
export function isTerminal(status: TaskStatus): status is TerminalTaskStatus {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
