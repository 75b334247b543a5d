import { McpPrincipalSource, type McpModuleOptions, type McpPrincipal } from '@mocapi/core';
import { Clock, McpTasksModule, TaskExecutor, TaskStore, type McpTasksModuleOptions, type TaskExecutorLoad } from '@mocapi/tasks';
import { createMcpTestingApp, FakeClock, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import type { ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { WatchedStore } from './watched-store.js';

/** Takes the caller's name from the header `x-user`; without it the caller is anonymous. */
export class HeaderPrincipalSource extends McpPrincipalSource {
  resolve(request: { headers: Record<string, unknown> }): McpPrincipal | undefined {
    const user = request.headers['x-user'];
    return typeof user === 'string' ? { id: user } : undefined;
  }
}

export interface TasksAppOptions {
  readonly tools: readonly Type[];
  readonly tasks?: McpTasksModuleOptions;
  readonly server?: Partial<McpModuleOptions>;
  /** Beside the tools. */
  readonly providers?: readonly Provider[];
  readonly imports?: ModuleMetadata['imports'];
  /** In place of what the tasks module has of its own. */
  readonly taskProviders?: readonly Provider[];
  readonly configure?: (app: NestFastifyApplication) => unknown;
  /** Another node over the store and the clock of this one. */
  readonly beside?: Pick<TasksApp, 'clock' | 'store'>;
}

/** A running server with tasks, over a store that is watched and a clock that stands still. */
export interface TasksApp {
  readonly testing: McpTestingApp;
  readonly clock: FakeClock;
  readonly store: WatchedStore;
  /** Clients of `user`, or of nobody. A new one each time, so that equal requests have equal ids. */
  capable(user?: string): McpTestClient;
  plain(user?: string): McpTestClient;
  load(): TaskExecutorLoad;
  close(): Promise<void>;
}

export async function startTasksApp(options: TasksAppOptions): Promise<TasksApp> {
  const clock = options.beside?.clock ?? new FakeClock();
  const store = options.beside?.store ?? new WatchedStore(clock, { maxRecords: options.tasks?.limits?.maxRecords ?? 100_000 });
  const testing = await createMcpTestingApp({
    imports: [
      ...(options.imports ?? []),
      McpTasksModule.forRoot({
        drain: 0,
        ...options.tasks,
        providers: [{ provide: Clock, useValue: clock }, { provide: TaskStore, useValue: store }, ...(options.taskProviders ?? [])],
      }),
    ],
    providers: [...options.tools, ...(options.providers ?? [])],
    options: { ...options.server, providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipalSource }] },
    ...(options.configure ? { configure: options.configure } : {}),
  });
  const plain = (user?: string): McpTestClient => testing.client(user === undefined ? {} : { headers: { 'x-user': user } });
  return {
    testing,
    clock,
    store,
    plain,
    capable: (user) => plain(user).withTasks(),
    load: () => testing.app.get(TaskExecutor, { strict: false }).load(),
    close: () => testing.close(),
  };
}

/** The id of the task that a call became. */
export async function startTask(client: McpTestClient, tool: string, args: Record<string, never> | object = {}): Promise<string> {
  const { result, raw } = await client.callTool(tool, args as never);
  if (result?.resultType !== 'task') throw new Error(`The call became no task: ${raw}`);
  return result.taskId!;
}
