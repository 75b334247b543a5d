import type { McpResult } from '@mocapi/core';
import type { DispatchContext, McpMethod } from '@mocapi/core/extension';
import type { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import { TaskMethod, TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import { existing, taskKeyIn } from './find-task.js';

/** `tasks/cancel` (MCP Tasks "Cancelling tasks"): cancels, cooperatively. A task that has ended is acknowledged and stays as it is. */
export class CancelTaskMethod implements McpMethod {
  readonly name = TaskMethod.Cancel;
  readonly requiredExtension = TASKS_EXTENSION;

  constructor(private readonly engine: TaskExecutionEngine) {}

  async handle(context: DispatchContext): Promise<McpResult> {
    existing(await this.engine.cancel(taskKeyIn(context)));
    return { resultType: 'complete' };
  }
}
