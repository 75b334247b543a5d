import { isatty } from 'node:tty';
import { ConsoleLogger, type LogLevel } from '@nestjs/common';

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
  return new StderrLogger({ colors: isatty(process.stderr.fd), ...(logLevels && { logLevels }) });
}
