import type { Sample } from '../measure/cell.js';
import { median } from '../measure/statistics.js';
import type { Bounds, Figure, Round, Row } from './row.js';

type Value = (sample: Sample) => number;

const cpu: Value = ({ cpuUs }) => cpuUs;

/** Compares two cells. */
export interface Comparison {
  readonly title: string;
  readonly unit: string;
  readonly of: string;
  readonly to: string;
  readonly bounds?: Bounds;
}

/** CPU time of one cell by that of another, taken within a round. */
export function cpuRatio({ title, unit, of, to, bounds }: Comparison): Row {
  const row = { title, unit, cells: [of, to], figure: (rounds: readonly Round[]) => ratio(rounds, { of, to, value: cpu }) };
  return bounds === undefined ? row : { ...row, bounds };
}

/** How many times faster one cell is than another: the other's CPU time by its own. */
export function timesFaster({ title, of, to, bounds }: Omit<Comparison, 'unit'>): Row {
  const figure = (rounds: readonly Round[]) => ratio(rounds, { of: to, to: of, value: cpu });
  const row = { title, unit: '×', cells: [of, to], figure };
  return bounds === undefined ? row : { ...row, bounds };
}

function ratio(rounds: readonly Round[], { of, to, value }: { of: string; to: string; value: Value }): Figure {
  const least = (cell: string) => Math.min(...rounds.map((round) => value(round[cell]!)));
  return { median: median(rounds.map((round) => value(round[of]!) / value(round[to]!))), best: least(of) / least(to) };
}
