import type { McpResult } from '@mocapi/core';
import type { DispatchContext, MaybePromise, McpMethod } from '@mocapi/core/extension';
import { isThenable } from '@mocapi/core/internal';
import type { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import type { TaskReads } from '../engine/task-reads.js';
import { TaskMethod, TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { TaskView } from '../record/task-record.js';
import { toGetTaskResult } from '../record/task-views.js';
import { existing, taskKeyIn } from './find-task.js';

/** `tasks/get` (MCP Tasks "Getting tasks"): the task as it is now, with its result, error or questions inlined. */
export class GetTaskMethod implements McpMethod {
  readonly name = TaskMethod.Get;
  readonly requiredExtension = TASKS_EXTENSION;

  constructor(
    private readonly reads: TaskReads,
    private readonly engine: Pick<TaskExecutionEngine, 'tend'>,
  ) {}

  handle(context: DispatchContext): MaybePromise<McpResult> {
    const read = this.reads.get(taskKeyIn(context));
    return isThenable(read) ? read.then((record) => this.shown(record)) : this.shown(read);
  }

  private shown(read: TaskView | undefined): McpResult {
    const record = existing(read);
    this.engine.tend(record);
    return toGetTaskResult(record);
  }
}
