import { Method } from '../protocol/vocabulary.js';
import type { NotificationSink } from './notification-sink.js';
import type { ProgressSink, ProgressUpdate } from './progress-sink.js';

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
