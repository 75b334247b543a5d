import type { NotificationMessage } from '../protocol/messages.js';

/** Where a notification about one request goes: the response stream of that request. Opening the stream is the sink's business. */
export interface NotificationSink {
  /** Sends before the final response; dropped silently once the response has ended or its reader is gone. */
  notify(message: NotificationMessage): void;
}
