import type { ToolDefinition } from '@mocapi/core/extension';
import type { GuardsOnTakeover, TaskAdmissionPolicy, TaskRecovery } from '../decorators/mcp-task.decorator.js';

const TASK_SETTINGS = Symbol('TaskSettings');

/** How one tool becomes a task: the options of its `@McpTask`, checked at boot. */
export interface TaskSettings {
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly required: boolean;
  readonly admission: TaskAdmissionPolicy;
  readonly recover: TaskRecovery;
  readonly guardsOnTakeover: GuardsOnTakeover;
}

/** The settings of a tool, or undefined when it is no task. */
export function taskSettingsOf(tool: ToolDefinition): TaskSettings | undefined {
  return tool.extensions.get(TASK_SETTINGS) as TaskSettings | undefined;
}

/** Keeps a tool's settings with it. */
export function keepTaskSettings(extend: (key: unknown, value: unknown) => void, settings: TaskSettings): void {
  extend(TASK_SETTINGS, Object.freeze(settings));
}
