import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { DurationOption } from '@mocapi/core';
import { McpHandlerExtension } from '@mocapi/core/extension';

/** Metadata key, on a method: the options of `@McpTask`. */
export const TASK_METADATA = 'mocapi:task';

/** When a call becomes a task: before the method's body, or where the body awaits `ctx.becomeTask()`. */
export type TaskAdmissionPolicy = 'start' | 'manual';

/** Recovery of a task whose node died: the task runs again from the top with its recorded answers and steps, or it fails. */
export type TaskRecovery = 'replay' | 'fail';

/** Whether guards run when another node takes a task over. */
export type GuardsOnTakeover = 'run' | 'skip';

/** The options of `@McpTask`. Durations are ISO-8601 (`PT2H`) or milliseconds; `${KEY}` and `${KEY:default}` are resolved at boot. */
export interface McpTaskOptions {
  /** How long the task and its result can be read, counted from its creation. @default the module's `ttl` */
  readonly ttl?: DurationOption;
  /** How often a client should poll. @default the module's `pollInterval` */
  readonly pollInterval?: DurationOption;
  /** Rejects clients that did not declare the extension, with -32021, instead of answering them within the call. @default false */
  readonly required?: boolean;
  /** @default 'start' */
  readonly admission?: TaskAdmissionPolicy;
  /** @default 'replay' for a tool annotated `readOnlyHint` or `idempotentHint`, else 'fail' */
  readonly recover?: TaskRecovery;
  /** Whether this tool's guards run when another node takes its task over. @default the module's `guardsOnTakeover` */
  readonly guardsOnTakeover?: GuardsOnTakeover;
}

/**
 * Makes a tool a background task for clients that declare the Tasks extension on their request, and leaves it an ordinary tool for
 * all others. Write it beside `@McpTool`, in any order. Wrong durations are errors at startup.
 */
export function McpTask(options: McpTaskOptions = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata(TASK_METADATA, options),
    McpHandlerExtension({ decorator: '@McpTask', fix: 'Import McpTasksModule.forRoot() beside McpModule.forRoot().' }),
  );
}
