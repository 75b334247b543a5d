import type { Load, LoadLength } from '../load/http-load.js';

const PRODUCERS = 32;

/** The operation that a worker repeats. */
export interface Work {
  readonly once: () => Promise<unknown>;
  /** Resolves when all that was begun has ended. */
  readonly drained: () => Promise<void>;
}

/** Keeps 32 producers busy, and waits until all they began has ended. */
export async function inFlight({ once, drained }: Work, { ms, operations }: LoadLength): Promise<Load> {
  const begun = performance.now();
  let done = 0;
  const produce = async (): Promise<void> => {
    while (performance.now() - begun < ms || done < operations) {
      done += 1;
      await once();
    }
  };
  await Promise.all(Array.from({ length: PRODUCERS }, produce));
  await drained();
  return { operations: done, wallMs: performance.now() - begun, bad: 0 };
}
