import { isatty } from 'node:tty';
import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Writable } from 'node:stream';

/** Nest's console logger, writing only to stderr: on stdio, stdout belongs to the messages (MCP transports "stdio"). */
class StderrLogger extends ConsoleLogger {
  // eslint-disable-next-line @typescript-eslint/max-params
  protected override printMessages(
    ...[messages, context, logLevel, , errorStack, params]: Parameters<ConsoleLogger['printMessages']>
  ): void {
    super.printMessages(messages, context, logLevel, 'stderr', errorStack, params);
  }
}

/**
 * The logger for an app that is served on stdio: `NestFactory.createApplicationContext(AppModule, { logger: stdioLogger() })`. Nest logs while it
 * boots, before anything else could keep that off stdout.
 *
 * @param logLevels those that are written; all of them by default
 */
export function stdioLogger(logLevels?: LogLevel[]): ConsoleLogger {
  return new StderrLogger({ colors: isatty(process.stderr.fd), logLevels });
}

let isGuarded = false;

/**
 * Keeps everything but MCP messages off stdout (MCP transports "stdio"): from here on everything that the process
 * writes there, `console.log` and Nest's logger included, goes to stderr. This lasts until the process ends, because
 * output during the close of the app is not a message either.
 * @param output the served stream; nothing happens unless it is stdout
 */
export function guardStdout(output: Writable): void {
  if (output !== process.stdout || isGuarded) return;
  isGuarded = true;
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** @throws Error when stdout is served already, by its only client */
export function assertFree(output: Writable): void {
  if (isGuarded && output === process.stdout) throw new Error('McpStdio.serve() was called twice: a process has one stdio client');
}
