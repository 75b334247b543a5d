import type { Sample } from '../measure/cell.js';
import { median } from '../measure/statistics.js';
import type { Bounds, Figure, Round, RoundRow } from './row.js';

/** Compares two cells, within each round. */
export interface Comparison {
  readonly title: string;
  /** @default '×' */
  readonly unit?: string;
  readonly of: string;
  readonly to: string;
  /** The compared figure: CPU time of the process or of Redis for one operation, or operations per second. @default 'cpuUs' */
  readonly by?: 'cpuUs' | 'redisUs' | 'perSecond';
  readonly bounds?: Bounds;
}

/** One cell by another. */
export function ratio({ title, unit = '×', of, to, by = 'cpuUs', bounds }: Comparison): RoundRow {
  const row = { title, unit, cells: [of, to], figure: (rounds: readonly Round[]) => figure(rounds, { of, to, by }) };
  return bounds === undefined ? row : { ...row, bounds };
}

/** How many times faster one cell is than another: the other's CPU time by its own. */
export function timesFaster({ title, of, to, bounds }: Comparison): RoundRow {
  const row = { title, unit: '×', cells: [of, to], figure: (rounds: readonly Round[]) => figure(rounds, { of: to, to: of, by: 'cpuUs' }) };
  return bounds === undefined ? row : { ...row, bounds };
}

function figure(rounds: readonly Round[], { of, to, by }: { of: string; to: string; by: keyof Sample }): Figure {
  const values = (cell: string) => rounds.map((round) => round[cell]![by] ?? Number.NaN);
  const best = by === 'perSecond' ? Math.max : Math.min;
  const other = values(to);
  const ratios = values(of).map((value, index) => value / other[index]!);
  return { median: median(ratios), best: best(...values(of)) / best(...other) };
}
