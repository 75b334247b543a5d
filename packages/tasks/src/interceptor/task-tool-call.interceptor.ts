import { Inject, Injectable } from '@nestjs/common';
import type { ClientCapabilities, McpResult } from '@mocapi/core';
import {
  declaresExtension,
  type DispatchContext,
  type McpDispatchInterceptor,
  McpSeam,
  missingCapability,
  toolCallOf,
} from '@mocapi/core/extension';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import { type TaskSettings, taskSettingsOf } from '../settings/task-settings.js';
import { TaskExecutionEngine } from '../engine/task-execution-engine.js';

/** Decides for each tool call whether it may become a task. Innermost of the dispatch interceptors, since it owns the calls that do. */
@Injectable()
@McpSeam('dispatch-interceptor', { order: 1000 })
export class TaskToolCallInterceptor implements McpDispatchInterceptor {
  constructor(@Inject(TaskExecutionEngine) private readonly engine: TaskExecutionEngine) {}

  /** Calls of tools that never become tasks go on without waiting. */
  concerns(context: DispatchContext): boolean {
    const call = toolCallOf(context);
    return call !== undefined && taskSettingsOf(call.handler) !== undefined;
  }

  intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    const call = toolCallOf(context);
    const settings = call && taskSettingsOf(call.handler);
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

/** Decision about a tool call: answer it within its request, make it a task, or reject it because the client lacks the extension. */
export type TaskDecision = 'sync' | 'task' | 'extension-missing';

/**
 * Whether a call may become a task. Only the capabilities that the client declared on this request count (MCP Tasks
 * "Capability negotiation").
 * @param settings those of the tool; undefined if it is not a task
 */
export function decideTask(settings: TaskSettings | undefined, capabilities: ClientCapabilities): TaskDecision {
  if (!settings) return 'sync';
  if (declaresExtension(capabilities, TASKS_EXTENSION)) return 'task';
  return settings.required ? 'extension-missing' : 'sync';
}
