/** Refusals in one execution that a body may make something of; far more than there are branches to unwind. */
const MAX_REFUSALS = 10_000;

/** Counts what the `ctx` of one execution refused. */
export class Refusals {
  private count = 0;
  private givenUp?: { readonly error: Error };
  private listener?: (error: unknown) => void;

  /** @param onEndless hears, once, of a body that is given up */
  constructor(private readonly onEndless: (what: string) => void) {}

  /** Calls `listener`, once, with the last refusal, when the body is given up because it never stops asking for what it was refused. */
  onGivenUp(listener: (error: unknown) => void): void {
    if (this.givenUp) listener(this.givenUp.error);
    else this.listener = listener;
  }

  /**
   * The refusal of a `ctx` call, until there are so many that the body must be catching them in a loop: from then on
   * calls never settle, so that the event loop continues, and the waiter of the body gets an error.
   */
  refuse(error: Error): Promise<never> {
    this.count += 1;
    if (this.count <= MAX_REFUSALS) return Promise.reject(error);
    if (this.count === MAX_REFUSALS + 1)
      this.onEndless(`a handler that keeps catching errors of its context, most recently: ${error.message}`);
    if (!this.givenUp) {
      this.givenUp = { error };
      this.listener?.(error);
    }
    return never();
  }
}

/**
 * A promise that never settles: the result of a call that no longer matters to anyone. It is a new one each time, or
 * its waiters would be kept in memory forever.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
