import 'reflect-metadata';
import { McpModule, type McpModuleComposition, type McpModuleOptions } from '@mocapi/core';
import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { CapturedLogs, type LogEntry } from './captured-logs.js';
import { McpTestClient, type McpTestClientOptions } from './mcp-test-client.js';

/** An application as it is: its root module imports `McpModule` itself. */
export interface McpTestingModule {
  readonly module: Type | DynamicModule;
}

/** The parts of an application; `McpModule.forRoot` is added to them. */
export interface McpTestingParts extends ModuleMetadata {
  /** Options for `McpModule.forRoot`. Name and version have defaults, and the application shuts down at once unless `shutdown` is set. */
  readonly options?: Partial<McpModuleOptions> & McpModuleComposition;
}

/** Options of `createMcpTestingApp`. */
export type McpTestingAppOptions = (McpTestingModule | McpTestingParts) & {
  /**
   * Replaces parts of the application, as `Test.createTestingModule` does: `(builder) => builder.overrideProvider(Mailer).useValue(fake)`, and
   * `overrideGuard`, `overrideInterceptor`, `overridePipe`, `overrideFilter`, `overrideModule`.
   */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Runs before the application listens, for global guards, pipes, filters and similar settings. */
  readonly configure?: (app: NestFastifyApplication) => unknown;
  /** Path of the endpoint, for the client. Default: that of `options`, or `/mcp`. */
  readonly path?: string;
};

/** A running application. */
export interface McpTestingApp {
  readonly app: NestFastifyApplication;
  /** The endpoint's URL. */
  readonly url: string;
  /** Log entries of the application, in order; nothing is printed. */
  readonly logs: readonly LogEntry[];
  /** @param options `path` is that of another endpoint of the application */
  client(options?: McpTestClientOptions & { readonly path?: string }): McpTestClient;
  close(): Promise<void>;
}

/**
 * Starts a real Nest application on Fastify, listening on a free port of 127.0.0.1.
 *
 * @example
 * ```ts
 * const testing = await createMcpTestingApp({ providers: [VideoTools] });
 * const { result } = await testing.client().callTool('encode', { uri: 'a.mp4' });
 * await testing.close();
 * ```
 * @throws whatever the boot throws, McpDefinitionsError included; the application is closed then
 */
export async function createMcpTestingApp(options: McpTestingAppOptions): Promise<McpTestingApp> {
  const logger = new CapturedLogs();
  const app = await createApp(options, logger);
  try {
    await options.configure?.(app);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  const { port } = app.getHttpServer().address() as { port: number };
  const at = (path: string): string => `http://127.0.0.1:${port}${path}`;
  const own = pathOf(options);
  const client: McpTestingApp['client'] = ({ path = own, ...rest } = {}) => new McpTestClient(at(path), rest);
  return { app, url: at(own), logs: logger.entries, client, close: () => app.close() };
}

/** Without overrides the application is made as `main.ts` makes it. */
async function createApp(options: McpTestingAppOptions, logger: CapturedLogs): Promise<NestFastifyApplication> {
  const root = rootModule(options);
  if (!options.override) {
    return NestFactory.create<NestFastifyApplication>(root as Type, new FastifyAdapter(), { logger, abortOnError: false });
  }
  const builder = Test.createTestingModule({ imports: [root] }).setLogger(logger);
  const module = await options.override(builder).compile();
  return module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger });
}

class TestingRootModule {}

/** Only the test calls its application, so nobody needs a notice. */
const AT_ONCE = { notice: 0, drain: 0 };

function rootModule(options: McpTestingAppOptions): Type | DynamicModule {
  if ('module' in options) return options.module;
  const { imports = [], providers = [], controllers = [], exports = [] } = options;
  const mcp = McpModule.forRoot({ name: 'testing', version: '1.0.0', shutdown: AT_ONCE, ...options.options });
  return { module: TestingRootModule, imports: [mcp, ...imports], providers, controllers, exports };
}

function pathOf(options: McpTestingAppOptions): string {
  return options.path ?? ('module' in options ? undefined : options.options?.path) ?? '/mcp';
}
