import { McpPrincipalSource, type McpModuleComposition, type McpModuleOptions, type McpPrincipal } from '@mocapi/core';
import { Clock, McpTasksModule, TaskStore, type McpTasksModuleOptions } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import type { ModuleMetadata, Provider, Type } from '@nestjs/common';

/** Takes the caller's name from the header `x-user`; without it the caller is anonymous. */
class HeaderPrincipalSource extends McpPrincipalSource {
  resolve(request: { headers: Record<string, unknown> }): McpPrincipal | undefined {
    const user = request.headers['x-user'];
    return typeof user === 'string' ? { id: user } : undefined;
  }
}

/** What an application is made of. */
export interface TasksAppOptions {
  readonly tools: readonly Type[];
  /** Options of the tasks module; those that are newer than its types too. */
  readonly tasks?: object;
  readonly server?: Partial<McpModuleOptions> & Pick<McpModuleComposition, 'providers'>;
  readonly providers?: readonly Provider[];
  readonly imports?: ModuleMetadata['imports'];
  readonly store?: TaskStore;
  readonly clock?: Clock;
}

/** A running server with tasks, and clients of it. */
export interface TasksApp {
  readonly testing: McpTestingApp;
  /** A client of `user`, or of nobody, that declares the Tasks extension. */
  capable(user?: string): McpTestClient;
  /** The same without the extension. */
  plain(user?: string): McpTestClient;
}

/** Starts a server with tasks. */
export async function startTasksApp({
  tools,
  tasks,
  server,
  providers = [],
  imports = [],
  store,
  clock,
}: TasksAppOptions): Promise<TasksApp> {
  const replaced: Provider[] = [
    ...(store ? [{ provide: TaskStore, useValue: store }] : []),
    ...(clock ? [{ provide: Clock, useValue: clock }] : []),
  ];
  const testing = await createMcpTestingApp({
    imports: [...imports, McpTasksModule.forRoot({ drain: 0, ...(tasks as McpTasksModuleOptions), providers: replaced })],
    providers: [...tools, ...providers],
    options: { providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipalSource }], ...server },
  });
  const plain = (user?: string): McpTestClient => testing.client(user === undefined ? {} : { headers: { 'x-user': user } });
  return { testing, plain, capable: (user) => plain(user).withTasks() };
}
