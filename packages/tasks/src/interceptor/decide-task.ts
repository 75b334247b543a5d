import type { ClientCapabilities } from '@mocapi/core';
import { declaresExtension } from '@mocapi/core/extension';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { TaskSettings } from '../settings/task-settings.js';

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
