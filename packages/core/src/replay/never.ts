/** A promise that never settles: what becomes of a call that no longer matters to anyone. A new one each time, or what awaits it would be held for ever. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
