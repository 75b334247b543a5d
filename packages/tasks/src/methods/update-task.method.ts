import { invalidParams, type McpResult } from '@mocapi/core';
import type { DispatchContext, McpMethod } from '@mocapi/core/extension';
import { isJsonObject } from '@mocapi/core/internal';
import type { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import { TaskMethod, TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { TaskStore } from '../store/task-store.js';
import { existing, taskKeyIn } from './find-task.js';

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
    // Before anything is looked up, so that the refusal is the same for every task and reveals nothing about it.
    if (!isJsonObject(inputResponses)) throw invalidParams('params.inputResponses must be an object of answers by key');
    const record = existing(await this.store.get(taskKeyIn(context)));
    await this.engine.update(record, inputResponses, context);
    return { resultType: 'complete' };
  }
}
