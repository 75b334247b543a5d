/** Stops a timer. Harmless once it has fired. */
export type CancelTimer = () => void;

/** Tells the time, and wakes up later. The class is the token; tests give a clock they move by hand. */
export abstract class Clock {
  /** Whole milliseconds since the epoch. */
  abstract now(): number;

  /** Milliseconds since some moment: for measuring how long something took, which no setting of the clock may change. By default `now()`. */
  elapsed(): number {
    return this.now();
  }

  /**
   * Calls `fn` once, after at least `ms` unless that is longer than the clock can wait: to wait for an instant, check
   * `now()` again. A pending timer does not keep the process alive.
   */
  abstract setTimer(fn: () => void, ms: number): CancelTimer;
}

/** Calls `fn` once `ms` have passed, however long that is. */
export function after(clock: Clock, ms: number, fn: () => void): CancelTimer {
  let cancel: CancelTimer;
  const arm = (left: number): void => {
    const step = Math.min(left, LONGEST_TIMER_MS);
    cancel = clock.setTimer(() => (left > step ? arm(left - step) : fn()), step);
  };
  arm(ms);
  return () => cancel();
}

/** Node fires a timer beyond this (24.8 days) at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  override elapsed(): number {
    return performance.now();
  }

  setTimer(fn: () => void, ms: number): CancelTimer {
    const timer = setTimeout(fn, Math.min(ms, LONGEST_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  }
}
