import type { LoggerService, LogLevel } from '@nestjs/common';

/** One line that the application logged. */
export interface LogEntry {
  readonly level: LogLevel;
  /** Which logger wrote it. */
  readonly context?: string;
  readonly message: string;
  /** The stack, or whatever else the line was given. */
  readonly details?: string;
}

/** A logger of Nest's that prints nothing and keeps every line, in order. */
export class CapturedLogs implements LoggerService {
  readonly entries: LogEntry[] = [];

  log = (message: unknown, ...rest: unknown[]): void => this.keep('log', message, rest);
  error = (message: unknown, ...rest: unknown[]): void => this.keep('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]): void => this.keep('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]): void => this.keep('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]): void => this.keep('verbose', message, rest);
  fatal = (message: unknown, ...rest: unknown[]): void => this.keep('fatal', message, rest);

  // Nest's loggers put the context last and, for errors, the stack before it.
  private keep(level: LogLevel, message: unknown, rest: unknown[]): void {
    const texts = rest.filter((part) => part !== undefined).map(textOf);
    const context = texts.pop();
    const details = texts.join('\n');
    this.entries.push({ level, message: textOf(message), ...(context === undefined ? {} : { context }), ...(details ? { details } : {}) });
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Error ? (value.stack ?? value.message) : String(value);
}
