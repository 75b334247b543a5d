import { invalidParams, type McpError } from '@mocapi/core';
import type { DispatchContext } from '@mocapi/core/extension';
import type { TaskRecord } from '../record/task-record.js';
import { isTaskId, taskKeyOf, type TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';

/** The one answer to every id that is not a task of this caller: unknown, expired, another's, or no id at all. */
export function unknownTask(): McpError {
  return invalidParams('Unknown task');
}

/** The key of the task that the params name, for this caller. @throws McpError -32602, without asking the store, when it can be no id */
export function taskKeyIn({ params, principal, endpoint }: DispatchContext): TaskKey {
  if (!isTaskId(params.taskId)) throw unknownTask();
  return taskKeyOf(principal, params.taskId, endpoint);
}

/** The caller's task. @throws McpError -32602 */
export async function findTask(context: DispatchContext, store: Pick<TaskStore, 'get'>): Promise<TaskRecord> {
  const record = await store.get(taskKeyIn(context));
  if (!record) throw unknownTask();
  return record;
}
