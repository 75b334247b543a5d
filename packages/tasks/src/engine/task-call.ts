import type { DispatchContext, ToolCallTarget } from '@mocapi/core/extension';
import type { TaskSettings } from '../settings/task-settings.js';

/** A tool call that may become a task. */
export interface TaskCall {
  readonly context: DispatchContext;
  readonly call: ToolCallTarget;
  readonly settings: TaskSettings;
}
