import type { Clock } from '../store/clock.js';

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

/** Waits `ms` milliseconds, but not longer than until `signal` aborts. */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimer(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}
