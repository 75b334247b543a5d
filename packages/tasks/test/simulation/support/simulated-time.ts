import { setImmediate } from 'node:timers';
import { Clock, type CancelTimer } from '@mocapi/tasks';
import { DeadlineHeap } from '../../../src/store/deadlines.js';
import type { SimulatedProcess } from './simulated-process.js';

/** What happens, and in which process. */
export interface Happening {
  readonly what: string;
  readonly process: SimulatedProcess;
}

interface Event {
  readonly what: string;
  readonly run: () => void;
  /** Undefined for what never fails: the server of the store, and clients. */
  readonly process: SimulatedProcess | undefined;
  isCancelled: boolean;
}

/**
 * The one scheduler: nothing in a simulation happens but as an event of this queue, one after the other, each with all that it sets going before the
 * next. Time is that of the event at hand, in milliseconds; it costs nothing.
 */
export class SimulatedTime {
  private time = Date.UTC(2026, 7, 1);
  private digest = 0x811c9dc5;
  private happened = 0;
  private readonly queue = new DeadlineHeap<Event>();

  /** @param onEvent hears of each event, before it happens */
  constructor(private readonly onEvent: (line: string) => void = () => undefined) {}

  get now(): number {
    return this.time;
  }

  /** How many events there were so far. */
  get events(): number {
    return this.happened;
  }

  /** Events so far, and what they were: two runs with the same mark went the same way. */
  get mark(): string {
    return `${this.happened}:${this.digest.toString(16)}`;
  }

  /** Has `run` happen in `delayMs`, unless it is cancelled or its process is dead by then; a process that is paused does it when it goes on. */
  after(delayMs: number, happening: string | Happening, run: () => void): CancelTimer {
    const { what, process } = typeof happening === 'string' ? { what: happening, process: undefined } : happening;
    const event = { what, run, process, isCancelled: false };
    this.queue.push(event, this.time + Math.max(0, Math.ceil(delayMs)));
    return () => void (event.isCancelled = true);
  }

  /** Resolves `delayMs` later. */
  wait(delayMs: number, happening: string | Happening): Promise<void> {
    return new Promise((resolve) => void this.after(delayMs, happening, resolve));
  }

  /** Lets events happen while there are some before `end`, in epoch milliseconds, and until `isOver`. */
  async run(end: number, isOver: () => boolean = () => false): Promise<void> {
    while (this.queue.earliest !== undefined && this.queue.earliest <= end) {
      this.time = Math.max(this.time, this.queue.earliest);
      if (this.happen(this.queue.pop() as Event)) {
        await settled();
        if (isOver()) return;
      }
    }
    this.time = Math.max(this.time, end);
  }

  private happen(event: Event): boolean {
    if (event.isCancelled || event.process?.isDead) return false;
    const pausedFor = (event.process?.pausedUntil ?? 0) - this.time;
    if (pausedFor > 0) {
      this.queue.push(event, this.time + pausedFor);
      return false;
    }
    this.note(event.what);
    event.run();
    return true;
  }

  /** Adds a line to what happened. */
  note(what: string): void {
    this.happened += 1;
    const line = `${this.time} ${what}`;
    for (let index = 0; index < line.length; index++) this.digest = Math.imul(this.digest ^ line.charCodeAt(index), 0x01000193) >>> 0;
    this.onEvent(line);
  }
}

/** The clock of what never fails. */
export class ServerClock extends Clock {
  constructor(private readonly time: SimulatedTime) {
    super();
  }

  now(): number {
    return this.time.now;
  }

  setTimer(fn: () => void, ms: number): CancelTimer {
    return this.time.after(ms, 'the store sweeps', fn);
  }
}

/** Every promise that can settle without time has settled, but for an execution that asks: it unwinds during the next few events. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
