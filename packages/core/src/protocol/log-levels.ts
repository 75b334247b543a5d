import type { LoggingLevel } from './official.js';

/** How grave a log message is (MCP server/utilities/logging "Log levels"; RFC 5424). */
export type LogLevel = LoggingLevel;

/** The levels, the least grave first. */
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Whether `value` is one of the levels. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}

/** Whether a message of `level` is one of those that a client asked for by `threshold`. */
export function reachesLevel(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
