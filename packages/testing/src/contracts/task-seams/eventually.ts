import { setTimeout as sleep } from 'node:timers/promises';

/** Tries an assertion until it holds, and for `withinMs` of real time at most: then it fails as the assertion does. */
export async function eventually(assertion: () => void | Promise<void>, withinMs = 2000): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(2);
    }
  }
}
