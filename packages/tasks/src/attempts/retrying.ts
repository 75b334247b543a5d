import type { AbortSource } from '@mocapi/core/extension';
import type { Clock } from '../store/clock.js';
import type { TaskStore } from '../store/task-store.js';

const DELAYS_MS = [100, 400, 1600, 6400, 30_000];

/** Milliseconds before another try of what the store has to take in the end: longer each time, up to half a minute. @param round 0 for the first */
export function retryDelay(round: number): number {
  return DELAYS_MS[Math.min(round, DELAYS_MS.length - 1)]!;
}

/** Waits for `work`, but not longer than `ms` milliseconds. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let cancel: () => void = () => undefined;
  const limit = new Promise<void>((resolve) => (cancel = clock.setTimer(resolve, ms)));
  await Promise.race([work, limit]);
  cancel();
}

/** Parts of a wait for the store. */
export interface StoreWaitParts {
  readonly store: Pick<TaskStore, 'whenBack'>;
  readonly clock: Clock;
  /** The longest wait, in milliseconds. */
  readonly atMostMs?: number;
}

/** When the store is back, waiting operations are retried within this time, each at its own moment, in milliseconds. */
const SPREAD_MS = 1000;
/** The longest part by which a pause is shortened, so that what failed together does not try again together. */
const JITTER = 0.25;

/**
 * Waits before try number `round` (0 for the first retry) of what the store has to take in the end, but not longer than until `signal` aborts, or until
 * the store is back: then a random part of a second more, for everybody who waits is woken.
 */
export function waitForStore({ store, clock, atMostMs = Infinity }: StoreWaitParts, round: number, signal: AbortSource): Promise<void> {
  const wakeUp = (wake: () => void): (() => void) => {
    let cancel: () => void = () => undefined;
    const leave = store.whenBack?.(() => {
      cancel();
      cancel = clock.setTimer(wake, Math.random() * SPREAD_MS);
    });
    return () => {
      leave?.();
      cancel();
    };
  };
  const ms = retryDelay(round) * (1 - JITTER * Math.random());
  return waitFor({ clock, ms: Math.min(ms, atMostMs), wakeUp }, signal);
}

interface Wait {
  readonly clock: Clock;
  readonly ms: number;
  /** Ends the wait early by what it is given. Returns what ends that. */
  readonly wakeUp: (wake: () => void) => () => void;
}

function waitFor({ clock, ms, wakeUp }: Wait, signal: AbortSource): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      sleepOn();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimer(done, ms);
    const sleepOn = wakeUp(done);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}
