import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { McpValueResolver } from '@mocapi/core';
import { SHARED_TASK_STORE } from '@mocapi/tasks';
import type { McpTasksRedisModuleOptions } from './options/redis-module-options.js';
import { RedisSharedTaskStore } from './redis-shared-task-store.js';

const OPTIONS = Symbol('McpTasksRedisModuleOptions');

/** Makes the options of the module from other providers. */
export interface McpTasksRedisModuleOptionsFactory {
  createMcpTasksRedisOptions(): McpTasksRedisModuleOptions | Promise<McpTasksRedisModuleOptions>;
}

/** What `forRootAsync` takes: one of `useFactory` (with `inject`), `useClass` and `useExisting`. */
export interface McpTasksRedisModuleAsyncOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: FactoryProvider['inject'];
  // The injected values are whatever the author's tokens stand for.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory?: (...args: any[]) => McpTasksRedisModuleOptions | Promise<McpTasksRedisModuleOptions>;
  readonly useClass?: Type<McpTasksRedisModuleOptionsFactory>;
  readonly useExisting?: Type<McpTasksRedisModuleOptionsFactory>;
}

/**
 * Tasks in Redis: beside `McpTasksModule`, whose store it then is, unless that module is given a `TaskStore` of its own. All nodes with the same
 * Redis and key prefix share their tasks.
 */
@Module({})
export class McpTasksRedisModule {
  static forRoot(options: McpTasksRedisModuleOptions): DynamicModule {
    return compose([{ provide: OPTIONS, useValue: options }], []);
  }

  static forRootAsync({ imports = [], ...source }: McpTasksRedisModuleAsyncOptions): DynamicModule {
    return compose(asyncOptions(source), imports);
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

function asyncOptions({ inject = [], useFactory, useClass, useExisting }: McpTasksRedisModuleAsyncOptions): Provider[] {
  if (useFactory) return [{ provide: OPTIONS, inject, useFactory }];
  const factory = useClass ?? useExisting;
  if (!factory) throw new TypeError('McpTasksRedisModule.forRootAsync() needs one of useFactory, useClass and useExisting');
  const options = {
    provide: OPTIONS,
    inject: [factory],
    useFactory: (source: McpTasksRedisModuleOptionsFactory) => source.createMcpTasksRedisOptions(),
  };
  return useClass ? [useClass, options] : [options];
}
