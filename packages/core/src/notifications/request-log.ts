import { type LogLevel, reachesLevel, Method } from '../protocol/vocabulary.js';
import type { LogMessage, LogSink } from './log-sink.js';
import type { NotificationSink } from './notification-sink.js';

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
    const params = { level, ...(logger === undefined ? {} : { logger }), data };
    this.notifications.notify({ jsonrpc: '2.0', method: Method.LogMessage, params });
  }
}
