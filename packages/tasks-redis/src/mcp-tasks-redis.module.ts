import { Inject, Module, Optional, type DynamicModule, type ModuleMetadata, type Provider } from '@nestjs/common';
import { asyncOptionsProviders, DefinitionError, McpValueResolver, type AsyncOptionsSource } from '@mocapi/core';
import { SHARED_TASK_STORE, type SharedTaskStore } from '@mocapi/tasks';
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

/** What `forRootAsync` takes. */
export interface McpTasksRedisModuleAsyncOptions extends AsyncOptionsSource<McpTasksRedisModuleOptions, McpTasksRedisModuleOptionsFactory> {
  readonly imports?: ModuleMetadata['imports'];
}

/**
 * Tasks in Redis: beside `McpTasksModule`, whose store it then is, unless that module is given a `TaskStore` of its own. All nodes with the same
 * Redis and key prefix share their tasks.
 */
@Module({})
export class McpTasksRedisModule {
  /** @throws DefinitionError where the class itself was imported: tasks would be kept in memory then */
  constructor(@Optional() @Inject(SHARED_TASK_STORE) offer?: SharedTaskStore) {
    if (!offer) throw withoutOptions();
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
        inject: [OPTIONS, McpValueResolver],
        useFactory: (given: McpTasksRedisModuleOptions, resolver: McpValueResolver) => new RedisSharedTaskStore(given, resolver),
      },
    ],
    exports: [SHARED_TASK_STORE],
  };
}

function withoutOptions(): DefinitionError {
  return new DefinitionError({
    where: 'McpTasksRedisModule',
    problem: 'the class is imported without options, so nothing says where the Redis is',
    mend: "Import McpTasksRedisModule.forRoot({ url: '${REDIS_URL}' }), or forRootAsync.",
  });
}
