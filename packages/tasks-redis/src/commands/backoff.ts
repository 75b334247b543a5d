import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits before try number `round`, counted from 0 for the first retry: not at all, then a random part of 1, 2, 4, … ms, of `capMs` at most.
 * Wholly random, so that those who collided don't collide again.
 */
export async function backOff(round: number, capMs: number): Promise<void> {
  if (round === 0) return;
  await sleep(Math.random() * Math.min(capMs, 2 ** (round - 1)));
}
