const FIRST_MS = 50;
const MOST_MS = 2000;

/** Milliseconds before the next attempt to connect, the first being 1: doubling up to 2 seconds, and by chance down to half of it, so that nodes don't come back as one. */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(FIRST_MS * 2 ** (attempt - 1), MOST_MS);
  return Math.round(most * (0.5 + random() / 2));
}
