import { median } from '../measure/statistics.js';
import type { Figure, ProbeResult, Round, Row } from '../rows/row.js';

/** All that a run has measured. */
export interface Measured {
  readonly rounds: readonly Round[];
  /** The results of each probe, by its name. */
  readonly probes: Readonly<Record<string, readonly ProbeResult[]>>;
}

/** The figure of a row. */
export function figureOf(row: Row, { rounds, probes }: Measured): Figure {
  if ('figure' in row) return row.figure(rounds);
  const values = probes[row.probe]!.map((result) => result[row.value]!);
  return { median: median(values), best: Math.min(...values) };
}
