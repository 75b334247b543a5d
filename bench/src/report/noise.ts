import { spread } from '../measure/statistics.js';
import { FLOOR } from '../rows/cells.js';
import type { Round } from '../rows/row.js';

/** Above it the floor itself moved so much that medians say little. */
const NOISY = 0.4;

/** How far the CPU times of the floor lie apart, as a share of their median; 0 without rounds. */
export function noiseOf(rounds: readonly Round[]): number {
  return rounds.length === 0 ? 0 : spread(rounds.map((round) => round[FLOOR]!.cpuUs));
}

export function isNoisy(rounds: readonly Round[]): boolean {
  return noiseOf(rounds) > NOISY;
}
