/** A command that got no reply in time. It is not known whether it was carried out. */
export class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';

  constructor(readonly afterMs: number) {
    super(`Redis did not reply within ${afterMs} ms`);
  }
}

interface Pending {
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly reject: (error: RedisTimeoutError) => void;
}

/** Ends the waiting for replies that do not come in time. All have the same time, so the oldest is always due first, and one timer serves them all. */
export class DeadlineQueue {
  /** In the order in which they are due. */
  private readonly pending = new Set<Pending>();
  private timer: NodeJS.Timeout | undefined;

  /** @param timeoutMs how long a reply may take */
  constructor(private readonly timeoutMs: number) {}

  /** Settles as `reply` does. @throws RedisTimeoutError if it did not settle in time; what it does later is ignored then */
  within<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const pending: Pending = { deadline: performance.now() + this.timeoutMs, reject };
      this.add(pending);
      reply.then(
        (value) => {
          this.remove(pending);
          resolve(value);
        },
        (error: unknown) => {
          this.remove(pending);
          reject(error);
        },
      );
    });
  }

  /** Takes the timer away, unless something is still pending: that is ended in time. */
  close(): void {
    if (this.pending.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private add(pending: Pending): void {
    this.pending.add(pending);
    if (this.pending.size > 1) return;
    if (this.timer) this.timer.ref();
    else this.arm(this.timeoutMs);
  }

  // The timer stays for the next command, but must not keep a process alive that waits for nothing.
  private remove(pending: Pending): void {
    this.pending.delete(pending);
    if (this.pending.size === 0) this.timer?.unref();
  }

  private arm(ms: number): void {
    this.timer = setTimeout(() => this.expire(), ms);
  }

  private expire(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const pending of this.pending) {
      if (pending.deadline > now) return this.arm(Math.ceil(pending.deadline - now));
      this.pending.delete(pending);
      pending.reject(new RedisTimeoutError(this.timeoutMs));
    }
  }
}
