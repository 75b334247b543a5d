import type { NotificationMessage } from '../protocol/messages.js';

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
