import type { ServerResponse } from 'node:http';
import { McpNotifier, McpPrincipalSource, McpRegistrar, type McpModuleOptions, type McpPrincipal } from '@mocapi/core';
import { createMcpTestingApp, type McpListenStream, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import type { ModuleMetadata, Provider } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Takes the caller's name from the header `x-user`; without it the caller is anonymous. */
class HeaderPrincipalSource extends McpPrincipalSource {
  resolve(request: { headers: Record<string, unknown> }): McpPrincipal | undefined {
    const user = request.headers['x-user'];
    return typeof user === 'string' ? { id: user } : undefined;
  }
}

export interface ListeningApp {
  readonly testing: McpTestingApp;
  readonly notifier: McpNotifier;
  readonly registrar: McpRegistrar;
  /** The server's end of every request, in order. */
  readonly responses: readonly ServerResponse[];
  client(user?: string): McpTestClient;
  /** A stream that has been acknowledged. */
  listen(notifications: object, user?: string): Promise<McpListenStream>;
  close(): Promise<void>;
}

export interface ListeningAppOptions {
  readonly providers?: readonly Provider[];
  readonly imports?: ModuleMetadata['imports'];
  readonly limits?: McpModuleOptions['limits'];
  /** Default: all that there can be. */
  readonly advertise?: McpModuleOptions['advertise'];
  readonly configure?: (app: NestFastifyApplication) => unknown;
}

/** A server on a real port with nothing but what the test adds. */
export async function startListeningApp({
  limits = {},
  advertise = ['prompts', 'resources'],
  ...parts
}: ListeningAppOptions = {}): Promise<ListeningApp> {
  const { providers = [], imports = [], configure } = parts;
  const responses: ServerResponse[] = [];
  const testing = await createMcpTestingApp({
    imports,
    providers: [...providers],
    options: { limits, advertise, providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipalSource }] },
    configure: async (app) => {
      const fastify = app.getHttpAdapter().getInstance();
      fastify.addHook('onRequest', async (_request, reply) => void responses.push(reply.raw));
      await configure?.(app);
    },
  });
  const client = (user?: string): McpTestClient => testing.client(user === undefined ? {} : { headers: { 'x-user': user } });
  return {
    testing,
    notifier: testing.app.get(McpNotifier),
    registrar: testing.app.get(McpRegistrar),
    responses,
    client,
    listen: async (notifications, user) => {
      const stream = await client(user).listen(notifications);
      await stream.acknowledged();
      return stream;
    },
    close: () => testing.close(),
  };
}
