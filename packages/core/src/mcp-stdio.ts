import type { Readable, Writable } from 'node:stream';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { McpBootstrap } from './boot/bootstrap.js';
import { loggable } from './protocol/texts.js';
import { ROOT_ENDPOINT } from './seams/endpoint.js';
import { StdioConnection } from './transport/stdio/stdio-connection.js';
import { assertFree, guardStdout } from './transport/stdio/stdout.js';

/** Options of `McpStdio.serve`; every option has a default. */
export interface McpStdioOptions {
  /** Which endpoint of the application is served. @default 'root' */
  readonly endpoint?: string;
  /** Where the client's messages come from. @default process.stdin */
  readonly input?: Readable;
  /** Stream for messages to the client. @default process.stdout, which then carries nothing else */
  readonly output?: Writable;
  readonly limits?: McpStdioLimits;
}

/** Bounds of a stdio connection. */
export interface McpStdioLimits {
  /** Bytes of a line; a longer one is refused with -32600, and with its id where that can be read. @default 10 MiB */
  readonly maxLineBytes?: number;
  /** Milliseconds in which requests in flight may still be answered after the input ends. @default 5000 */
  readonly drainMs?: number;
}

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const DRAIN_MS = 5_000;
const SHUTDOWN_GRACE_MS = 1_000;

/** Serves an application to the client at the other end of stdin and stdout (MCP transports "stdio"). */
export abstract class McpStdio {
  /**
   * Serves until the client has closed the input and all requests in flight are answered, or until the application
   * closes. The application stays open: close it afterwards. It may be a context without HTTP
   * (`NestFactory.createApplicationContext`) or a full one. Guards see a request without headers.
   */
  static async serve(app: INestApplicationContext, options: McpStdioOptions = {}): Promise<void> {
    const { endpoint = ROOT_ENDPOINT, input = process.stdin, output = process.stdout, limits = {} } = options;
    assertFree(output);
    await app.init();
    const bootstrap = app.get(McpBootstrap, { strict: false, each: true }).find(({ options: { endpoint: name } }) => name === endpoint);
    if (!bootstrap) throw new TypeError(`There is no endpoint "${endpoint}" to serve on stdio`);
    const { limits: common } = bootstrap.options;
    const { path, dispatcher, legacy } = bootstrap.endpoint;
    const logger = new Logger('McpStdio');
    const connection = new StdioConnection({
      input,
      output,
      path,
      dispatcher,
      legacy,
      maxLineBytes: limits.maxLineBytes ?? MAX_LINE_BYTES,
      maxJsonDepth: common.maxJsonDepth,
      maxJsonObjects: common.maxJsonObjects,
      drainMs: limits.drainMs ?? DRAIN_MS,
      shutdownGraceMs: SHUTDOWN_GRACE_MS,
      onCancelled: (id, reason) =>
        logger.debug(`The client cancelled request ${loggable(JSON.stringify(id))}: ${loggable(JSON.stringify(reason ?? null))}`),
    });
    guardStdout(output);
    const release = bootstrap.adopt(connection);
    await connection.done.finally(release);
  }
}
