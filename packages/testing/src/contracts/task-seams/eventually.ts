import { setTimeout as sleep } from 'node:timers/promises';

/** Tries an assertion until it holds, and for `withinMs` of real time at most: then it fails as the assertion does. Resolves to what it returned. */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 2000): Promise<T> {
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
