import type { JsonValue } from '../protocol/json.js';
import type { LogLevel } from '../protocol/log-levels.js';

/** One log message of a handler for the client (MCP server/utilities/logging). */
export interface LogMessage {
  readonly level: LogLevel;
  readonly data: JsonValue;
  /** Who logs, by a name that stays the same. */
  readonly logger?: string;
}

/** Where the log messages of one execution go. A task has no such place: nothing but its state is told of it. */
export interface LogSink {
  log(message: LogMessage): void;
}
