import { Inject, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DefinitionError, McpValueResolver } from '@mocapi/core';
import { asyncOptionsProviders, bindToMcpEndpoint, requireProvided, ROOT_ENDPOINT, type AsyncOptionsSource } from '@mocapi/core/internal';
import { TaskExecutionEngine } from './engine/task-execution-engine.js';
import { TaskReads } from './engine/task-reads.js';
import { InProcessTaskExecutor } from './slots/in-process-task-executor.js';
import { TaskExecutor } from './slots/task-executor.js';
import { TaskHandlerCustomizer } from './settings/task-handler-customizer.js';
import { TaskToolCallInterceptor } from './interceptor/task-tool-call.interceptor.js';
import { TasksCapabilityCustomizer } from './interceptor/tasks-capability-customizer.js';
import { TasksMethods } from './methods/tasks-methods.js';
import { ResolvedTasksOptions, resolveTasksOptions } from './options/resolve-tasks-options.js';
import { TaskSubscriptions } from './pushes/task-subscriptions.js';
import { TaskWatches } from './pushes/task-watches.js';
import { Clock, SystemClock } from './store/clock.js';
import { StoreChoice } from './store/store-choice.js';
import { TaskStore } from './store/task-store.js';
import { TasksBootstrap } from './tasks-bootstrap.js';
import type { McpTasksModuleComposition, McpTasksModuleOptions } from './tasks-module-options.js';

const OPTIONS = Symbol('McpTasksModuleOptions');
const ASYNC_OPTIONS = {
  token: OPTIONS,
  module: 'McpTasksModule',
  create: (factory: McpTasksModuleOptionsFactory) => factory.createMcpTasksOptions(),
};

/** Makes the options of the module from other providers. */
export interface McpTasksModuleOptionsFactory {
  createMcpTasksOptions(): McpTasksModuleOptions | Promise<McpTasksModuleOptions>;
}

/** Options of `forRootAsync`. */
export interface McpTasksModuleAsyncOptions
  extends McpTasksModuleComposition, AsyncOptionsSource<McpTasksModuleOptions, McpTasksModuleOptionsFactory> {}

/**
 * The Tasks extension (`io.modelcontextprotocol/tasks`) beside `McpModule`: tools marked `@McpTask` become background tasks for
 * clients that can poll. Every part is a provider that `providers` may replace, the `TaskStore` first of all.
 */
@Module({})
export class McpTasksModule {
  /** @throws DefinitionError when the class was imported without `forRoot` */
  constructor(@Inject(ModuleRef) moduleRef: ModuleRef) {
    requireProvided(moduleRef, TaskStore, {
      where: 'McpTasksModule',
      problem: 'the class is imported without options, so no tool becomes a task',
      fix: 'Import McpTasksModule.forRoot(), or forRootAsync.',
    });
  }

  static forRoot({ endpoint, imports, providers, ...options }: McpTasksModuleOptions & McpTasksModuleComposition = {}): DynamicModule {
    return compose([{ provide: OPTIONS, useValue: options }], { endpoint, imports, providers });
  }

  static forRootAsync({ endpoint, imports, providers, ...source }: McpTasksModuleAsyncOptions): DynamicModule {
    return compose(asyncOptionsProviders(source, ASYNC_OPTIONS), { endpoint, imports, providers });
  }
}

const TASKS_PROVIDERS: Provider[] = [
  // The first of all to be made, and the place to say that the server is missing.
  { provide: ResolvedTasksOptions, inject: [OPTIONS, { token: McpValueResolver, optional: true }], useFactory: resolveOptions },
  { provide: Clock, useClass: SystemClock },
  StoreChoice,
  { provide: TaskStore, inject: [StoreChoice], useFactory: (choice: StoreChoice) => choice.open() },
  { provide: TaskExecutor, inject: [ResolvedTasksOptions], useFactory: createExecutor },
  TaskReads,
  TaskExecutionEngine,
  TaskHandlerCustomizer,
  TaskToolCallInterceptor,
  TasksCapabilityCustomizer,
  TasksMethods,
  TaskWatches,
  TaskSubscriptions,
  TasksBootstrap,
];

type Composition = { readonly [K in keyof McpTasksModuleComposition]: McpTasksModuleComposition[K] | undefined };

function compose(options: Provider[], { endpoint = ROOT_ENDPOINT, imports = [], providers = [] }: Composition): DynamicModule {
  return {
    module: McpTasksModule,
    // Tasks of another endpoint have a store, an engine and an executor of their own, which nobody else gets by accident.
    global: endpoint === ROOT_ENDPOINT,
    imports: imports as DynamicModule[],
    providers: [...options, ...bindToMcpEndpoint(endpoint), ...TASKS_PROVIDERS, ...providers],
    exports: [TaskStore, TaskExecutor, TaskExecutionEngine, ResolvedTasksOptions, Clock],
  };
}

function createExecutor({ limits }: ResolvedTasksOptions): TaskExecutor {
  return new InProcessTaskExecutor(limits);
}

function resolveOptions(given: McpTasksModuleOptions, resolver: McpValueResolver | undefined): ResolvedTasksOptions {
  if (resolver) return resolveTasksOptions(given, resolver);
  throw new DefinitionError({
    where: 'McpTasksModule',
    problem: 'the application has no MCP server whose tools could become tasks',
    fix: "Import McpModule.forRoot({ name: '…', version: '…' }) too.",
  });
}
