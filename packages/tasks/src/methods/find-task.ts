import { invalidParams, type McpError } from '@mocapi/core';
import type { DispatchContext } from '@mocapi/core/extension';
import { isTaskId, taskKeyOf, type TaskKey } from '../store/task-key.js';

/** The one answer to every id that is not a task of this caller: unknown, expired, another's, or no id at all. */
function unknownTask(): McpError {
  return invalidParams('Unknown task');
}

/**
 * The key of the task that the params name, for this caller.
 * @throws McpError -32602, without reading the store, if it cannot be an id
 */
export function taskKeyIn({ params, principal, endpoint }: DispatchContext): TaskKey {
  if (!isTaskId(params.taskId)) throw unknownTask();
  return taskKeyOf(principal, params.taskId, endpoint);
}

/** Returns the task that was read. @throws McpError -32602 if there is none */
export function existing<T>(task: T | undefined): T {
  if (task === undefined) throw unknownTask();
  return task;
}
