import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 10;
const DEADLINE_MS = 20_000;

/** Asks until the answer is true. Rejects after `withinMs` (20 seconds unless given), naming `what` it waited for. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs: number = DEADLINE_MS): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(STEP_MS);
  }
}
