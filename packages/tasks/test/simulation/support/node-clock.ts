import { Clock, type CancelTimer } from '@mocapi/tasks';
import type { Random } from './random.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedTime } from './simulated-time.js';

/** A node's own clock: it may be wrong, and jump. Its timers don't. */
export class NodeClock extends Clock {
  private skewMs = 0;
  private pending = 0;

  constructor(
    private readonly time: SimulatedTime,
    private readonly random: Random,
    private readonly process: SimulatedProcess,
  ) {
    super();
  }

  /** Timers that wait to fire. */
  get pendingTimers(): number {
    return this.pending;
  }

  jump(ms: number): void {
    this.skewMs += ms;
  }

  now(): number {
    return this.time.now + this.skewMs;
  }

  override elapsed(): number {
    return this.time.now;
  }

  setTimer(fn: () => void, ms: number): CancelTimer {
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      this.pending -= 1;
      return true;
    };
    this.pending += 1;
    const late = this.random.chance(0.1) ? this.random.below(20) : 0;
    const fire = (): void => {
      if (end()) fn();
    };
    const cancel = this.time.after(ms + late, { what: `${this.process.name} timer`, process: this.process }, fire);
    return () => {
      if (end()) cancel();
    };
  }
}
