import { Clock, type CancelTimer } from '@mocapi/tasks';
import type { Random } from './random.js';
import type { SimulatedTime } from './simulated-time.js';

/** What a node runs in. Once it is dead nothing of it happens any more: no timer fires, no reply comes. */
export class SimulatedProcess {
  private resumesAt = 0;
  private dead = false;
  private readonly connections: (() => void)[] = [];

  constructor(readonly name: string) {}

  get isDead(): boolean {
    return this.dead;
  }

  /** Until when it stands still, in epoch milliseconds. */
  get pausedUntil(): number {
    return this.resumesAt;
  }

  pause(until: number): void {
    this.resumesAt = Math.max(this.resumesAt, until);
  }

  kill(): void {
    this.dead = true;
    this.disconnect();
  }

  /** Closes every connection, as at its death and at the end of its shutdown. */
  disconnect(): void {
    for (const close of this.connections.splice(0)) close();
  }

  /** What becomes of a connection when it is closed. */
  onDisconnect(close: () => void): void {
    this.connections.push(close);
  }
}

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
