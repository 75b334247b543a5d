import { Inject, Module, type DynamicModule, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { McpValueResolver } from '@mocapi/core';
import { asyncOptionsProviders, requireProvided, type AsyncOptionsSource } from '@mocapi/core/internal';
import { SHARED_TASK_STORE, TaskStore } from '@mocapi/tasks';
import type { McpTasksRedisModuleOptions } from './options/redis-module-options.js';
import { RedisSharedTaskStore } from './redis-shared-task-store.js';

const OPTIONS = Symbol('McpTasksRedisModuleOptions');
const ASYNC_OPTIONS = {
  token: OPTIONS,
  module: 'McpTasksRedisModule',
  create: (factory: McpTasksRedisModuleOptionsFactory) => factory.createMcpTasksRedisOptions(),
};

/** Makes the options of the module from other providers. */
export interface McpTasksRedisModuleOptionsFactory {
  createMcpTasksRedisOptions(): McpTasksRedisModuleOptions | Promise<McpTasksRedisModuleOptions>;
}

/** Options of `forRootAsync`. */
export interface McpTasksRedisModuleAsyncOptions extends AsyncOptionsSource<McpTasksRedisModuleOptions, McpTasksRedisModuleOptionsFactory> {
  readonly imports?: ModuleMetadata['imports'];
}

/**
 * Tasks in Redis: beside `McpTasksModule`, whose store it then is, unless that module is given a `TaskStore` of its own. All nodes with the same
 * Redis and key prefix share their tasks.
 */
@Module({})
export class McpTasksRedisModule {
  /** @throws DefinitionError where the class itself was imported (tasks would be kept in memory then), or a module that it is made for is missing */
  constructor(@Inject(ModuleRef) moduleRef: ModuleRef) {
    requireProvided(moduleRef, McpValueResolver, {
      where: 'McpTasksRedisModule',
      problem: 'the application has no MCP server',
      fix: "Import McpModule.forRoot({ name: '…', version: '…' }) and McpTasksModule.forRoot() too.",
    });
    requireProvided(moduleRef, TaskStore, {
      where: 'McpTasksRedisModule',
      problem: 'nothing uses the Redis, because McpTasksModule is not imported',
      fix: 'Import McpTasksModule.forRoot() too.',
    });
    requireProvided(moduleRef, SHARED_TASK_STORE, {
      where: 'McpTasksRedisModule',
      problem: 'the class is imported without options, so the address of the Redis is missing',
      fix: "Import McpTasksRedisModule.forRoot({ url: '${REDIS_URL}' }), or forRootAsync.",
    });
  }

  static forRoot(options: McpTasksRedisModuleOptions): DynamicModule {
    return compose([{ provide: OPTIONS, useValue: options }], []);
  }

  static forRootAsync({ imports = [], ...source }: McpTasksRedisModuleAsyncOptions): DynamicModule {
    return compose(asyncOptionsProviders(source, ASYNC_OPTIONS), imports);
  }
}

function compose(options: Provider[], imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
  return {
    module: McpTasksRedisModule,
    global: true,
    imports,
    providers: [
      ...options,
      {
        provide: SHARED_TASK_STORE,
        // Optional to Nest alone, as with `InjectRequired`.
        inject: [OPTIONS, { token: McpValueResolver, optional: true }],
        useFactory: (given: McpTasksRedisModuleOptions, resolver: McpValueResolver) => new RedisSharedTaskStore(given, resolver),
      },
    ],
    exports: [SHARED_TASK_STORE],
  };
}
