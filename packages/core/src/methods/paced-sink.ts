import { TokenBuckets, type Rate } from '../envelope/token-buckets.js';
import type { NotificationSink } from '../notifications/notification-sink.js';
import type { NotificationMessage } from '../protocol/messages.js';

/** Passes on what a handler tells during its request, as often as the rate allows. The rest is dropped: progress and logs are advice, and never an error. */
export class PacedSink implements NotificationSink {
  private readonly buckets: TokenBuckets;

  constructor(
    private readonly sink: NotificationSink,
    rate: Rate,
    now: () => number = () => performance.now(),
  ) {
    this.buckets = new TokenBuckets(rate, 1, now);
  }

  notify(message: NotificationMessage): void {
    if (this.buckets.take('') === 0) this.sink.notify(message);
  }
}
