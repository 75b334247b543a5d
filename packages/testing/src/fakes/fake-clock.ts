import { type CancelTimer, Clock } from '@mocapi/tasks';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** A clock that stands still until the test moves it. */
export class FakeClock extends Clock {
  private readonly timers = new Set<Timer>();

  /** @param time where it stands: by default an arbitrary moment with whole seconds. */
  constructor(private time = Date.UTC(2026, 7, 1, 10, 30)) {
    super();
  }

  /** How many timers wait to fire. */
  get pendingTimers(): number {
    return this.timers.size;
  }

  now(): number {
    return this.time;
  }

  setTimer(fn: () => void, ms: number): CancelTimer {
    const timer = { at: this.time + Math.max(0, ms), fn };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /**
   * Moves on by `ms` and fires what falls due on the way, in the order of time and then of setting, each at its own instant.
   * Whatever a timer starts runs before the next timer, so a timer that is set there fires as well if it falls due in time.
   */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await turn();
    for (let due = this.earliest(end); due !== undefined; due = this.earliest(end)) {
      this.timers.delete(due);
      this.time = Math.max(this.time, due.at);
      due.fn();
      await turn();
    }
    this.time = end;
  }

  private earliest(until: number): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.timers) {
      if (timer.at <= until && (earliest === undefined || timer.at < earliest.at)) earliest = timer;
    }
    return earliest;
  }
}

/** Lets all promises that can settle without time settle. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
