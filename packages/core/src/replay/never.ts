/**
 * A promise that never settles: the result of a call that no longer matters to anyone. It is a new one each time, or
 * its waiters would be kept in memory forever.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
