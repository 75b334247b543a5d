/** Stops a timer. Harmless once it has fired. */
export type CancelTimer = () => void;

/** What time it is, and waking up later. The class is the token; tests give a clock they move by hand. */
export abstract class Clock {
  /** Whole milliseconds since the epoch. */
  abstract now(): number;

  /**
   * Calls `fn` once, not before `ms` have passed unless that is longer than the clock can wait: whoever waits for an instant looks at `now()` again.
   * A pending timer does not keep the process alive.
   */
  abstract setTimer(fn: () => void, ms: number): CancelTimer;
}

/** Node fires a timer beyond this (24.8 days) at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  setTimer(fn: () => void, ms: number): CancelTimer {
    const timer = setTimeout(fn, Math.min(ms, LONGEST_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  }
}
