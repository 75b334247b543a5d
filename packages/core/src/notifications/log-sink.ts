import type { JsonValue } from '../protocol/json.js';
import type { LogLevel } from '../protocol/vocabulary.js';

/** One log message of a handler for the client (MCP server/utilities/logging). */
export interface LogMessage {
  readonly level: LogLevel;
  readonly data: JsonValue;
  /** Who logs, by a name that stays the same. */
  readonly logger?: string;
}

/** Receives the log messages of one execution. A task has none: its clients only receive its state. */
export interface LogSink {
  log(message: LogMessage): void;
}
