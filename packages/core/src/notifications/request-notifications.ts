import type { JsonObject } from '../protocol/json.js';
import { Method, type LogLevel, reachesLevel } from '../protocol/vocabulary.js';
import type { NotificationSink, ProgressSink, ProgressUpdate, LogMessage, LogSink } from './sinks.js';

/** Sends progress on the stream of the request that asked for it by a token (MCP basic/utilities/progress). Without a token it sends nothing. */
export class RequestProgress implements ProgressSink {
  private last = -Infinity;

  constructor(
    private readonly notifications: NotificationSink,
    private readonly token: string | number | undefined,
  ) {}

  report(update: ProgressUpdate): void {
    // A retry within the execution reports from its start again, but what the client sees must only increase.
    if (this.token === undefined || !(update.progress > this.last)) return;
    this.last = update.progress;
    this.notifications.notify({ jsonrpc: '2.0', method: Method.Progress, params: { progressToken: this.token, ...update } });
  }
}

/**
 * Sends log messages on the stream of the request that asked for them, at or above its level (MCP
 * server/utilities/logging). A request without a level gets none, whatever an earlier request asked for.
 */
export class RequestLog implements LogSink {
  constructor(
    private readonly notifications: NotificationSink,
    private readonly threshold: LogLevel | undefined,
  ) {}

  log({ level, logger, data }: LogMessage): void {
    if (this.threshold === undefined || !reachesLevel(level, this.threshold)) return;
    const params: JsonObject = logger === undefined ? { level, data } : { level, logger, data };
    this.notifications.notify({ jsonrpc: '2.0', method: Method.LogMessage, params });
  }
}
