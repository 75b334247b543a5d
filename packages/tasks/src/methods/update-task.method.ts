import { invalidParams, isJsonObject, type DispatchContext, type McpMethod, type McpResult } from '@mocapi/core';
import type { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import { TaskMethod } from '../protocol/task-methods.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { TaskStore } from '../store/task-store.js';
import { findTask } from './find-task.js';

/** `tasks/update` (MCP Tasks "Updating tasks"): takes answers. What answers nothing is ignored, and the acknowledgement is the same. */
export class UpdateTaskMethod implements McpMethod {
  readonly name = TaskMethod.Update;
  readonly requiredExtension = TASKS_EXTENSION;

  constructor(
    private readonly store: TaskStore,
    private readonly engine: TaskExecutionEngine,
  ) {}

  async handle(context: DispatchContext): Promise<McpResult> {
    const record = await findTask(context, this.store);
    const { inputResponses } = context.params;
    if (!isJsonObject(inputResponses)) throw invalidParams('inputResponses must be an object of answers by key');
    await this.engine.update(record, inputResponses, context);
    return { resultType: 'complete' };
  }
}
