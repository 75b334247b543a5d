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
export { originOf, type TaskCall } from './engine/task-draft.js';
export { TaskReads } from './engine/task-reads.js';
export { TaskExecutor, TaskExecutorFullError, type TaskExecutorLoad, type TaskSlot } from './slots/task-executor.js';
export { InProcessTaskExecutor, type InProcessTaskExecutorOptions } from './slots/in-process-task-executor.js';
export { ResolvedTasksOptions } from './options/resolve-tasks-options.js';
export { taskSettingsOf, type TaskSettings } from './settings/task-settings.js';

export { TaskMethod, TASKS_CAPABILITY, TASKS_EXTENSION, TASKS_NOTIFICATION } from './protocol/tasks-extension.js';
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
export {
  accountOf,
  deadlineOf,
  firstRun,
  isAlive,
  isTerminal,
  type Probation,
  type RunClaim,
  type RunToken,
  TASK_STATUSES,
  type TaskDraft,
  type TaskRecord,
  type TaskRun,
  type TaskStatus,
  type TaskView,
  type TerminalTaskStatus,
} from './record/task-record.js';
export {
  applyAnswers,
  cancelled,
  completed,
  failed,
  inputRequired,
  isRunBy,
  settle,
  withLedgerEntry,
  withStatusMessage,
  working,
} from './record/task-transitions.js';
export { released, takenOver } from './record/run-life.js';
export { toCreateTaskResult, toDetailedTask, toGetTaskResult } from './record/task-views.js';
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
