export { TASKS_CAPABILITY, TASKS_EXTENSION } from './protocol/tasks-extension.js';
export { TASKS_NOTIFICATION, TaskMethod } from './protocol/task-methods.js';
export type {
  CancelledTask,
  CompletedTask,
  CreateTaskResult,
  DetailedTask,
  FailedTask,
  GetTaskResult,
  InputRequiredTask,
  TaskFields,
  WorkingTask,
} from './protocol/task-wire.js';
export { isTerminal, TASK_STATUSES, type TaskStatus, type TerminalTaskStatus } from './record/task-status.js';
export { firstRun, type RunClaim, type RunToken, type TaskDraft, type TaskRecord, type TaskRun } from './record/task-record.js';
export {
  cancelled,
  completed,
  failed,
  inputRequired,
  isRunBy,
  settle,
  takenOver,
  withLedgerEntry,
  withStatusMessage,
  working,
} from './record/task-transitions.js';
export { applyAnswers } from './record/apply-answers.js';
export { deadlineOf, isAlive } from './record/task-expiry.js';
export { toDetailedTask, toGetTaskResult } from './record/to-detailed-task.js';
export { toCreateTaskResult } from './record/to-create-task-result.js';
export { type CancelTimer, Clock, SystemClock } from './store/clock.js';
export { type TaskMutation, TaskStore } from './store/task-store.js';
export { isTaskId, newTaskId, type TaskKey, taskKeyOf } from './store/task-key.js';
export {
  InvalidMutationError,
  InvalidTaskTtlError,
  NotJsonError,
  TaskAlreadyExistsError,
  TaskStoreFullError,
} from './store/task-store.errors.js';
export { assertJson } from './store/assert-json.js';
export { assertTtl, mutated } from './store/checked-task.js';
export { InMemoryTaskStore, type InMemoryTaskStoreOptions } from './store/in-memory-task-store.js';
export { TaskChangeFeed, type TaskChangeListener, type Unwatch } from './store/task-change-feed.js';
export { TaskRunIndex } from './store/task-run-index.js';
