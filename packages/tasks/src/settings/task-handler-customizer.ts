import { Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { DefinitionError, McpValueResolver, type Tool } from '@mocapi/core';
import { McpSeam, type HandlerCustomizer, type HandlerUnderConstruction } from '@mocapi/core/extension';
import { InjectRequired, NestKey, OptionReader, REQUIRED_EXTENSION, ResolvedMcpOptions, type OptionNames } from '@mocapi/core/internal';
import { TASK_METADATA, type McpTaskOptions } from '../decorators/mcp-task.decorator.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import { ResolvedTasksOptions } from '../options/resolve-tasks-options.js';
import { isShared } from '../store/in-memory-task-store.js';
import { TaskStore } from '../store/task-store.js';
import { keepTaskSettings, type TaskSettings } from './task-settings.js';

const NAMES: OptionNames<McpTaskOptions> = {
  ttl: true,
  pollInterval: true,
  required: true,
  admission: true,
  recover: true,
  guardsOnTakeover: true,
};

/**
 * Reads `@McpTask` of each tool at boot: a mistake in its options stops the boot and names class, method and option.
 */
@Injectable()
@McpSeam('handler-customizer')
export class TaskHandlerCustomizer implements HandlerCustomizer {
  private readonly logger = new Logger('McpTasks');

  constructor(
    @Inject(ResolvedTasksOptions) private readonly defaults: ResolvedTasksOptions,
    @InjectRequired(McpValueResolver) private readonly resolver: McpValueResolver,
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(ApplicationConfig) private readonly app: ApplicationConfig,
    @InjectRequired(ResolvedMcpOptions) private readonly server: ResolvedMcpOptions,
  ) {}

  customize(handler: HandlerUnderConstruction): void {
    const options = handler.getMetadata(TASK_METADATA) as McpTaskOptions | undefined;
    if (!options) return;
    handler.claim('@McpTask');
    if (handler.kind !== 'tool') throw onlyTools(handler);
    if (options.required === true) handler.extend(REQUIRED_EXTENSION, TASKS_EXTENSION);
    const { annotations } = handler.descriptor as Tool;
    const option = optionReader(handler.where, this.resolver);
    option.known(options, NAMES);
    const repeatable = annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
    const settings: TaskSettings = {
      ttlMs: options.ttl === undefined ? this.defaults.ttlMs : option.duration('ttl', options.ttl),
      pollIntervalMs:
        options.pollInterval === undefined ? this.defaults.pollIntervalMs : option.duration('pollInterval', options.pollInterval),
      required: options.required ?? false,
      admission: option.oneOf('admission', options.admission ?? 'start', ['start', 'manual']),
      recover: option.oneOf('recover', options.recover ?? (repeatable ? 'replay' : 'fail'), ['replay', 'fail']),
      guardsOnTakeover: option.oneOf('guardsOnTakeover', options.guardsOnTakeover ?? this.defaults.guardsOnTakeover, ['run', 'skip']),
    };
    keepTaskSettings((key, value) => handler.extend(key, value), settings);
    this.noteGuards(handler, settings);
    option.assertSound();
  }

  /** A guard that reads a token denies every takeover; without this line the application learns that only when a node dies. */
  private noteGuards(handler: HandlerUnderConstruction, { guardsOnTakeover }: TaskSettings): void {
    if (guardsOnTakeover === 'skip' || !isShared(this.store)) return;
    if (!this.hasGuardsForAll && handler.getMetadata(NestKey.Guards) === undefined) return;
    this.logger.log(
      `${handler.where}: a node that takes its tasks over runs its guards without a request, and a guard that reads a token denies. Let takeovers pass by checking McpExecution.find(context)?.trigger, or leave guardsOnTakeover at 'skip'`,
    );
  }

  private get hasGuardsForAll(): boolean {
    return this.server.guards.length > 0 || this.app.getGlobalGuards().length > 0 || this.app.getGlobalRequestGuards().length > 0;
  }
}

function onlyTools({ where, kind }: HandlerUnderConstruction): DefinitionError {
  return new DefinitionError({
    where,
    problem: `@McpTask is on a ${kind}`,
    fix: 'Only tools can become tasks: use @McpTool, or remove @McpTask.',
  });
}

/** Reads the options of one `@McpTask`. */
function optionReader(where: string, resolver: McpValueResolver): OptionReader {
  return new OptionReader(resolver, {
    at: (option, problem) => ({ where, problem: `@McpTask ${option}: ${problem}` }),
    fix: (option) => `Write @McpTask({ ${option}: 'PT30S' }), or milliseconds.`,
  });
}
