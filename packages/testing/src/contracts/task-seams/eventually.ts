import { setTimeout as sleep } from 'node:timers/promises';

/** Retries an assertion until it holds, for at most `withinMs` of real time; then rejects as the assertion does. Resolves to what the assertion returns. */
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
