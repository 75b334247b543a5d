// For people who write servers.
export { McpTasksModule, type McpTasksModuleAsyncOptions, type McpTasksModuleOptionsFactory } from './tasks.module.js';
export type { McpTasksLimits, McpTasksModuleComposition, McpTasksModuleOptions } from './tasks-module-options.js';
export {
  McpTask,
  type GuardsOnTakeover,
  type McpTaskOptions,
  type TaskAdmissionPolicy,
  type TaskRecovery,
} from './decorators/mcp-task.decorator.js';

// For those who replace a part.
export { TaskToolCallInterceptor } from './interceptor/task-tool-call.interceptor.js';
export { TasksCapabilityCustomizer } from './interceptor/tasks-capability-customizer.js';
export { TaskExecutionEngine } from './engine/task-execution-engine.js';
export type { TaskCall } from './engine/task-call.js';
export { TaskReads } from './engine/task-reads.js';
export { TaskExecutor, TaskExecutorFullError, type TaskExecutorLoad, type TaskSlot } from './executor/task-executor.js';
export { InProcessTaskExecutor, type InProcessTaskExecutorOptions } from './executor/in-process-task-executor.js';
export { ResolvedTasksOptions } from './options/resolve-tasks-options.js';
export { taskSettingsOf, type TaskSettings } from './settings/task-settings.js';

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
export {
  firstRun,
  type Probation,
  type RunClaim,
  type RunToken,
  type TaskDraft,
  type TaskRecord,
  type TaskRun,
  type TaskView,
} from './record/task-record.js';
export {
  cancelled,
  completed,
  failed,
  inputRequired,
  isRunBy,
  settle,
  released,
  takenOver,
  withLedgerEntry,
  withStatusMessage,
  working,
} from './record/task-transitions.js';
export { applyAnswers } from './record/apply-answers.js';
export { originOf } from './engine/request-origin.js';
export { accountOf } from './record/task-account.js';
export { deadlineOf, isAlive } from './record/task-expiry.js';
export { toDetailedTask, toGetTaskResult } from './record/to-detailed-task.js';
export { toCreateTaskResult } from './record/to-create-task-result.js';
export { TaskSubscriptions } from './pushes/task-subscriptions.js';
export { TaskWatches } from './pushes/task-watches.js';
export type { TaskStateListener } from './pushes/watched-task.js';
export { type CancelTimer, Clock, SystemClock } from './store/clock.js';
export { type TaskMutation, TaskStore } from './store/task-store.js';
export { isTaskId, newTaskId, type TaskKey, taskKeyOf } from './store/task-key.js';
export {
  InvalidMutationError,
  InvalidTaskTtlError,
  TaskAlreadyExistsError,
  TaskFormatError,
  TaskQuotaError,
  TaskRecordTooLargeError,
  TaskStoreFullError,
  TaskStoreUnavailableError,
  type UnreadableTask,
} from './store/task-store.errors.js';
export { SHARED_TASK_STORE, SharedTaskStore } from './store/shared-task-store.js';
export { assertKnownFormat, assertTtl, mutated } from './store/checked-task.js';
export { DEFAULT_MAX_RECORD_BYTES, DEFAULT_MAX_STORED_PER_PRINCIPAL, type TaskStoreBounds } from './options/task-store-bounds.js';
export { deepFreeze, frozenRecord } from './store/frozen-record.js';
export { InMemoryTaskStore, type InMemoryTaskStoreOptions } from './store/in-memory-task-store.js';
export { TaskChangeFeed, type TaskChangeListener, type Unwatch } from './store/task-change-feed.js';
export { type RunSession, TaskRunIndex, type TaskRunListener } from './store/task-run-index.js';
