import { setImmediate as realSetImmediate, setTimeout as realSetTimeout, clearTimeout as realClearTimeout } from 'node:timers';
import { InputRequiredSignal } from './unwinding.js';

/** The execution, as the window uses it. */
export interface WindowHost {
  isBodySettled(): boolean;
  /** Resolves when the body has settled. */
  bodySettled(): Promise<void>;
  /** Resolves when no step is in flight; undefined when none is now. */
  stepsIdle(): Promise<void> | undefined;
  /** Called when the window closes, before the first waiter rejects. */
  unwindingBegins(): void;
  /** Called once every waiter has rejected, or the body has settled. */
  windowClosed(): void;
  /** Called after the body has settled, and everything that its end rejects. */
  unwindingEnds(): void;
}

/**
 * Collects the requests that an execution reaches unanswered, then unwinds it.
 *
 * Open from the first pending request until the first macrotask at which no step is in flight; a request reached meanwhile joins. At the
 * close the waiting promises reject one at a time until the body settles; those left over never settle. Between two of them the body has
 * `GRACE_TURNS` to settle, so that mostly one `finally` runs and not one for each branch. Nothing depends on that: a branch that nobody awaits is
 * silenced by `UnwindingScope`, however long the body cleans up. The timers are captured at load, so that fake ones don't stop it.
 */
export class PendingWindow {
  private waiters: (() => void)[] = [];
  private state: 'unopened' | 'open' | 'closed' = 'unopened';

  constructor(private readonly host: WindowHost) {}

  get closed(): boolean {
    return this.state === 'closed';
  }

  get opened(): boolean {
    return this.state !== 'unopened';
  }

  /** A promise that only ever rejects, with the signal, once the window is closed. */
  park(): Promise<never> {
    if (this.state === 'unopened') {
      this.state = 'open';
      void this.run();
    }
    const parked = new Promise<never>((_, reject) => this.waiters.push(() => reject(new InputRequiredSignal())));
    parked.catch(() => undefined);
    return parked;
  }

  /** Turns of the event loop and no time: what holds the loop up must not use the grace up. */
  private async grace(): Promise<void> {
    for (let turn = 0; turn < GRACE_TURNS && !this.host.isBodySettled(); turn += 1) {
      let timer: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => (timer = realSetTimeout(resolve, 1)));
      await Promise.race([this.host.bodySettled(), passed]);
      realClearTimeout(timer);
    }
  }

  private async run(): Promise<void> {
    for (;;) {
      await macrotask();
      const idle = this.host.stepsIdle();
      if (!idle) break;
      await idle;
    }
    this.state = 'closed';
    this.host.unwindingBegins();
    for (let waiter = this.waiters.shift(); waiter && !this.host.isBodySettled(); waiter = this.waiters.shift()) {
      waiter();
      await macrotask();
      if (this.waiters.length > 0 && !this.host.isBodySettled()) await this.grace();
    }
    this.waiters = [];
    this.host.windowClosed();
    await this.host.bodySettled();
    await macrotask();
    this.host.unwindingEnds();
  }
}

/** Turns of the event loop, of at least a millisecond each, that an unwinding body has before the next of its promises is rejected. */
const GRACE_TURNS = 10;

/** Resolves after every microtask that is due has run. */
export function macrotask(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve));
}
