import type { CreateTaskResult } from '../protocol/task-wire.js';
import type { TaskView } from './task-record.js';
import { toTaskFields } from './to-detailed-task.js';

/**
 * Builds the answer to the call that became this task: flat, and without outcome, questions or `requestState`, which the
 * extension forbids here.
 */
export function toCreateTaskResult(record: TaskView): CreateTaskResult {
  return { resultType: 'task', ...toTaskFields(record), status: record.status };
}
