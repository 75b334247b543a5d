import { Inject, Injectable } from '@nestjs/common';
import {
  DefinitionError,
  McpSeam,
  McpValueResolver,
  REQUIRED_EXTENSION,
  type HandlerCustomizer,
  type HandlerUnderConstruction,
  type Tool,
} from '@mocapi/core';
import { TASK_METADATA, type McpTaskOptions } from '../decorators/mcp-task.decorator.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import { ResolvedTasksOptions, resolveDuration } from '../options/resolve-tasks-options.js';
import { keepTaskSettings } from './task-settings.js';

/** Reads `@McpTask` of each tool at boot: what is wrong with its options stops the boot, naming class, method and option. */
@Injectable()
@McpSeam('handler-customizer')
export class TaskHandlerCustomizer implements HandlerCustomizer {
  constructor(
    @Inject(ResolvedTasksOptions) private readonly defaults: ResolvedTasksOptions,
    @Inject(McpValueResolver) private readonly resolver: McpValueResolver,
  ) {}

  customize(handler: HandlerUnderConstruction): void {
    const options = handler.getMetadata(TASK_METADATA) as McpTaskOptions | undefined;
    if (!options) return;
    handler.claim('@McpTask');
    if (handler.kind !== 'tool') throw onlyTools(handler);
    if (options.required === true) handler.extend(REQUIRED_EXTENSION, TASKS_EXTENSION);
    const { annotations } = handler.descriptor as Tool;
    const repeatable = annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
    keepTaskSettings((key, value) => handler.extend(key, value), {
      ttlMs: this.duration(handler, { option: 'ttl', value: options.ttl, fallback: this.defaults.ttlMs }),
      pollIntervalMs: this.duration(handler, {
        option: 'pollInterval',
        value: options.pollInterval,
        fallback: this.defaults.pollIntervalMs,
      }),
      required: options.required ?? false,
      admission: oneOf(handler, { option: 'admission', value: options.admission ?? 'start', allowed: ['start', 'manual'] }),
      recover: oneOf(handler, {
        option: 'recover',
        value: options.recover ?? (repeatable ? 'replay' : 'fail'),
        allowed: ['replay', 'fail'],
      }),
    });
  }

  private duration(
    { where }: HandlerUnderConstruction,
    { option, value, fallback }: { option: string; value: string | number | undefined; fallback: number },
  ): number {
    if (value === undefined) return fallback;
    try {
      return resolveDuration(value, this.resolver);
    } catch (error) {
      const mend = `Write ISO-8601 (PT30S, PT2H, P1D) or milliseconds: @McpTask({ ${option}: 'PT…' }).`;
      throw new DefinitionError({ where, problem: `@McpTask ${option}: ${(error as Error).message}`, mend });
    }
  }
}

function onlyTools({ where, kind }: HandlerUnderConstruction): DefinitionError {
  return new DefinitionError({
    where,
    problem: `@McpTask stands on a ${kind}`,
    mend: 'Only tools become tasks: use @McpTool, or leave @McpTask out.',
  });
}

function oneOf<T extends string>(
  { where }: HandlerUnderConstruction,
  { option, value, allowed }: { option: string; value: T; allowed: readonly T[] },
): T {
  if (allowed.includes(value)) return value;
  const mend = `Write one of ${allowed.map((word) => `'${word}'`).join(', ')}.`;
  throw new DefinitionError({ where, problem: `@McpTask ${option}: "${value}" is not known`, mend });
}
