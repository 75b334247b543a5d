import type { Bounds } from '../rows/row.js';

/** How a figure stands to its bounds. */
export type Verdict = 'goal' | 'must' | 'miss' | '';

/** `''` where there are no bounds. */
export function verdictOf(value: number, bounds: Bounds | undefined): Verdict {
  if (bounds === undefined) return '';
  const holds = (bound: number) => (bounds.sense === 'most' ? value <= bound : value >= bound);
  if (holds(bounds.goal)) return 'goal';
  return holds(bounds.must) ? 'must' : 'miss';
}
