import { isJsonObject, type DispatchContext, type McpMethod, type McpResult } from '@mocapi/core';
import type { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import { TaskMethod } from '../protocol/task-methods.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { TaskStore } from '../store/task-store.js';
import { findTask, unknownTask } from './find-task.js';

/** `tasks/update` (MCP Tasks "Updating tasks"): takes answers. What answers nothing is ignored, and the acknowledgement is the same. */
export class UpdateTaskMethod implements McpMethod {
  readonly name = TaskMethod.Update;
  readonly requiredExtension = TASKS_EXTENSION;

  constructor(
    private readonly store: TaskStore,
    private readonly engine: TaskExecutionEngine,
  ) {}

  async handle(context: DispatchContext): Promise<McpResult> {
    const { inputResponses } = context.params;
    // Before the store is asked, and in the same words: a malformed update tells nothing of the task it names.
    if (!isJsonObject(inputResponses)) throw unknownTask();
    const record = await findTask(context, this.store);
    await this.engine.update(record, inputResponses, context);
    return { resultType: 'complete' };
  }
}
