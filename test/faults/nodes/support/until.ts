import { setTimeout } from 'node:timers/promises';

/** How a wait goes. */
export interface UntilOptions {
  /** What is waited for, for the message of its failure. */
  readonly what: string;
  readonly timeoutMs: number;
  /** Between two looks. @default 20 */
  readonly everyMs?: number;
}

/** Looks until `look` gives something that holds, and returns that. @throws Error with the last look when the time is over */
export async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean, options: UntilOptions): Promise<T> {
  const { what, timeoutMs, everyMs = 20 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadline)
      throw new Error(`${what}: not within ${timeoutMs} ms; last seen: ${JSON.stringify(seen).slice(0, 500)}`);
    await setTimeout(everyMs);
  }
}
