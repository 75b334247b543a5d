import type { NotificationMessage } from '../protocol/messages.js';
import type { JsonValue } from '../protocol/json.js';
import type { LogLevel } from '../protocol/vocabulary.js';

/** Where a notification about one request goes: the response stream of that request. Opening the stream is the sink's business. */
export interface NotificationSink {
  /** Sends before the final response; dropped silently once the response has ended or its reader is gone. */
  notify(message: NotificationMessage): void;
  /**
   * Whether its reader has fallen behind, so that messages sent now wait in memory. A sink without this member accepts
   * everything at once.
   */
  readonly isStalled?: boolean;
  /** Calls `listener` whenever the reader has caught up after it was stalled. One listener; it leaves with the request. */
  onDrain?(listener: () => void): void;
}

/** One report of progress (MCP basic/utilities/progress). */
export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Where the progress of one execution goes: the request's stream, or a task's status message. */
export interface ProgressSink {
  report(update: ProgressUpdate): void;
}

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
