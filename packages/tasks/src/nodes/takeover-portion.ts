import type { Clock } from '../store/clock.js';

/** Measures of a portion. */
export interface TakeoverPortionParts {
  readonly clock: Clock;
  readonly beatMs: number;
  /** Slots that are free on this node. */
  free(): number;
  /** Attempts that run on this node. */
  running(): number;
}

/** A node without a free slot takes on, each beat, so small a part of what it runs. */
const BUSY_SHARE = 8;

/**
 * How many tasks of a dead node this node takes over: as many as it has free slots for, so that the others get their
 * share. The remaining tasks belong to the others for a beat. Tasks for which nobody has a slot after that go to the
 * queues, little by little.
 */
export class TakeoverPortion {
  /** Dead sessions of which this node left something for want of a slot, and since when. */
  readonly passedOver = new Map<string, number>();

  constructor(private readonly parts: TakeoverPortionParts) {}

  /** Whether this node left something that it had no slot for, and has one now. */
  get isDue(): boolean {
    return this.passedOver.size > 0 && this.parts.free() > 0;
  }

  /** How many tasks of a dead session to take on now, of those that are left. */
  of(session: string): number {
    const { clock, beatMs } = this.parts;
    const free = this.parts.free();
    if (free > 0) return free;
    const since = this.passedOver.get(session);
    const now = clock.elapsed();
    if (since !== undefined && now - since < beatMs) return 0;
    this.passedOver.set(session, now);
    return since === undefined ? 0 : Math.ceil(this.parts.running() / BUSY_SHARE);
  }

  /** Nothing of the session is left for this node to take on. */
  done(session: string): void {
    this.passedOver.delete(session);
  }
}
