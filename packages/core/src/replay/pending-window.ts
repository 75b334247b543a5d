import { setTimeout as realSetTimeout, clearTimeout as realClearTimeout } from 'node:timers';
import { setImmediate as realSetImmediate } from 'node:timers/promises';
import type { FollowedSignal } from '../protocol/abort-source.js';
import type { Steps } from './steps.js';
import { InputRequiredSignal, QuietPromise, silenced, type UnwindingScope } from './unwinding.js';

/** A body that may still run. */
export interface UnwoundBody {
  readonly bodySettled: boolean;
  /** Resolves when the body has returned or thrown. */
  whenBodySettled(): Promise<void>;
}

/** The execution, as the window uses it. */
export interface WindowHost {
  /** The pass whose body is unwound. */
  readonly currentPass?: UnwoundBody;
  readonly steps?: Pick<Steps, 'idle'>;
  /** Drops what the body makes of its unwinding, from before the first waiter rejects until after everything that the body's end rejects. */
  readonly scope: UnwindingScope;
  /** Aborted once every waiter has rejected, or the body has settled. */
  readonly followed: Pick<FollowedSignal, 'abort'>;
  readonly start: { readonly onUnheardBranch?: (reason: unknown) => void };
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
  /** Whether the waiting promises reject: nothing new may start. */
  closed = false;
  private running?: Promise<void>;
  private waiters: ((signal: InputRequiredSignal) => void)[] = [];

  constructor(private readonly host: WindowHost) {}

  /** A promise that only ever rejects, with the signal, once the window is closed. */
  park(): Promise<never> {
    this.running ??= this.run();
    return silenced(new QuietPromise<never>((_, reject) => this.waiters.push(reject)));
  }

  private async run(): Promise<void> {
    const { host } = this;
    for (;;) {
      await macrotask();
      const idle = host.steps?.idle();
      if (!idle) break;
      await idle;
    }
    this.closed = true;
    host.scope.drop = (reason) => host.start.onUnheardBranch?.(reason);
    for (let reject = this.waiters.shift(); reject && host.currentPass?.bodySettled === false; reject = this.waiters.shift()) {
      reject(new InputRequiredSignal());
      await macrotask();
      if (this.waiters.length > 0) await this.grace();
    }
    this.waiters = [];
    host.followed.abort('suspended');
    await host.currentPass?.whenBodySettled();
    await macrotask();
    host.scope.drop = undefined;
  }

  /** Turns of the event loop and no time: what holds the loop up must not use the grace up. */
  private async grace(): Promise<void> {
    for (let turn = 0; turn < GRACE_TURNS && this.host.currentPass?.bodySettled === false; turn += 1) {
      let timer: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => (timer = realSetTimeout(resolve, 1)));
      await Promise.race([this.host.currentPass?.whenBodySettled(), passed]);
      realClearTimeout(timer);
    }
  }
}

/** Turns of the event loop, of at least a millisecond each, that an unwinding body has before the next of its promises is rejected. */
const GRACE_TURNS = 10;

/** Resolves after every microtask that is due has run. */
export const macrotask: () => Promise<void> = realSetImmediate;
