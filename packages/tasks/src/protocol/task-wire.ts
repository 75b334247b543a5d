import type { CallToolResult, McpResult } from '@mocapi/core';
import type { InputRequests, WireError } from '@mocapi/core/extension';
import type { OfficialTask } from './official.js';

/** Where a task stands, as clients see it. `completed`, `failed` and `cancelled` are terminal. */
export type TaskStatus = OfficialTask['status'];

/** Members of every view of a task. Times are ISO 8601, durations whole milliseconds. */
export interface TaskFields {
  readonly taskId: string;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Counted from `createdAt`; null is unlimited. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

/** A task at work. */
export interface WorkingTask extends TaskFields {
  readonly status: 'working';
}

/** A task that waits for its client. */
export interface InputRequiredTask extends TaskFields {
  readonly status: 'input_required';
  /** Every question still open, not only the new ones. */
  readonly inputRequests: InputRequests;
}

/** A task whose tool gave a result, an `isError` result included. */
export interface CompletedTask extends TaskFields {
  readonly status: 'completed';
  /** Exactly what the call would have answered, its `resultType` included. */
  readonly result: CallToolResult;
}

/** A task that ended in a JSON-RPC error. */
export interface FailedTask extends TaskFields {
  readonly status: 'failed';
  readonly error: WireError;
}

/** A task its client called off. */
export interface CancelledTask extends TaskFields {
  readonly status: 'cancelled';
}

/** A task in full: the params of `notifications/tasks`, and the substance of a `tasks/get` result. */
export type DetailedTask = WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/** The result of `tasks/get`. */
export type GetTaskResult = McpResult & { readonly resultType: 'complete' } & DetailedTask;

/** Answer of `tools/call` instead of a result once the call has become a task. Flat, without outcome or questions. */
export interface CreateTaskResult extends McpResult, TaskFields {
  readonly resultType: 'task';
  readonly status: TaskStatus;
}
