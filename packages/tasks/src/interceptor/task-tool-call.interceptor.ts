import { Inject, Injectable } from '@nestjs/common';
import type { McpResult } from '@mocapi/core';
import { McpSeam, missingCapability, toolCallOf, type DispatchContext, type McpDispatchInterceptor } from '@mocapi/core/extension';
import { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import { decideTask } from './decide-task.js';
import { taskSettingsOf } from '../settings/task-settings.js';

/** Decides for each tool call whether it may become a task. Innermost of the dispatch interceptors, since it owns the calls that do. */
@Injectable()
@McpSeam('dispatch-interceptor', { order: 1000 })
export class TaskToolCallInterceptor implements McpDispatchInterceptor {
  constructor(@Inject(TaskExecutionEngine) private readonly engine: TaskExecutionEngine) {}

  /** Calls of tools that never become tasks go on without waiting. */
  concerns(context: DispatchContext): boolean {
    const call = toolCallOf(context);
    return call !== undefined && taskSettingsOf(call.tool) !== undefined;
  }

  async intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    const call = toolCallOf(context);
    const settings = call && taskSettingsOf(call.tool);
    if (!call || !settings) return next();
    switch (decideTask(settings, context.envelope.clientCapabilities)) {
      case 'sync':
        return next();
      case 'task':
        return this.engine.start({ context, call, settings });
      case 'extension-missing':
        throw missingCapability(`Tool "${call.name}" requires the ${TASKS_EXTENSION} client capability`, {
          extensions: { [TASKS_EXTENSION]: {} },
        });
    }
  }
}
