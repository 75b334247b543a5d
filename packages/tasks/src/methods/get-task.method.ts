import type { McpResult } from '@mocapi/core';
import type { DispatchContext, McpMethod } from '@mocapi/core/extension';
import type { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import type { TaskReads } from '../engine/task-reads.js';
import { TaskMethod, TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import { toGetTaskResult } from '../record/task-views.js';
import { findTask } from './find-task.js';

/** `tasks/get` (MCP Tasks "Getting tasks"): the task as it is now, with its result, error or questions inlined. */
export class GetTaskMethod implements McpMethod {
  readonly name = TaskMethod.Get;
  readonly requiredExtension = TASKS_EXTENSION;

  constructor(
    private readonly reads: TaskReads,
    private readonly engine: Pick<TaskExecutionEngine, 'tend'>,
  ) {}

  async handle(context: DispatchContext): Promise<McpResult> {
    const record = await findTask(context, (key) => this.reads.get(key));
    this.engine.tend(record);
    return toGetTaskResult(record);
  }
}
