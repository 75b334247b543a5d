import { TokenBuckets, type Rate } from '../envelope/token-buckets.js';
import type { NotificationSink } from '../notifications/sinks.js';
import type { NotificationMessage } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';

/**
 * Passes on a handler's notifications during its request, as often as the rate allows. Beyond the rate the latest
 * progress report waits and is sent when the rate allows it, at the latest at the end, so that the client's last
 * report is true. Logs beyond the rate are dropped: they are advice, and never an error.
 */
export class PacedSink implements NotificationSink {
  private readonly buckets: TokenBuckets;
  private waiting: NotificationMessage | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param now a clock in milliseconds that never goes back */
  constructor(
    private readonly sink: NotificationSink,
    rate: Rate,
    now: () => number = () => performance.now(),
  ) {
    this.buckets = new TokenBuckets(rate, 1, now);
  }

  notify(message: NotificationMessage): void {
    const isProgress = message.method === Method.Progress;
    const waitMs = this.buckets.take('');
    if (waitMs === 0) {
      // A report that waits is older than this one.
      if (isProgress) this.forget();
      this.sink.notify(message);
    } else if (isProgress) {
      this.waiting = message;
      this.timer ??= this.wakeIn(waitMs);
    }
  }

  /** Sends what still waits, and leaves no timer. Called before the request is answered. */
  end(): void {
    const { waiting } = this;
    this.forget();
    if (waiting) this.sink.notify(waiting);
  }

  private wakeIn(ms: number): NodeJS.Timeout {
    return setTimeout(
      () => {
        const { waiting } = this;
        this.forget();
        if (waiting) this.notify(waiting);
      },
      Math.min(ms, LONGEST_TIMER_MS),
    ).unref();
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = undefined;
  }
}

/** Node takes a longer time for none at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
