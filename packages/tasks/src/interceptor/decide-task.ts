import type { ClientCapabilities } from '@mocapi/core';
import { declaresExtension } from '@mocapi/core/extension';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { TaskSettings } from '../settings/task-settings.js';

/** What becomes of a tool call: answered within its request, made a task, or refused for want of the extension. */
export type TaskDecision = 'sync' | 'task' | 'extension-missing';

/**
 * Whether a call may become a task. Only what the client declared on this very request counts (MCP Tasks "Capability negotiation").
 * @param settings those of the tool; undefined when it is no task
 */
export function decideTask(settings: TaskSettings | undefined, capabilities: ClientCapabilities): TaskDecision {
  if (!settings) return 'sync';
  if (declaresExtension(capabilities, TASKS_EXTENSION)) return 'task';
  return settings.required ? 'extension-missing' : 'sync';
}
