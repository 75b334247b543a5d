import { figureOf, type Measured } from './measured.js';
import type { Environment } from './environment.js';
import { noiseOf } from './noise.js';
import { verdictOf, type Verdict } from './verdict.js';
import type { Bounds, Row } from '../rows/row.js';

/** A row with its result, as the JSON file, the history and the chart have it. */
export interface ReportRow {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly median: number;
  readonly best: number;
  readonly bounds: Bounds | undefined;
  readonly verdict: Verdict;
}

/** A whole run. */
export interface Report {
  readonly environment: Environment;
  /** How far the floor moved: 0.4 is 40 %. */
  readonly noise: number;
  readonly rows: readonly ReportRow[];
}

/** Puts a run together. `rows` are the rows that were measured, by name. */
export function reportOf(rows: Readonly<Record<string, Row>>, measured: Measured, environment: Environment): Report {
  return {
    environment,
    noise: noiseOf(measured.rounds),
    rows: Object.entries(rows).map(([name, row]) => {
      const { median, best } = figureOf(row, measured);
      return { name, title: row.title, unit: row.unit, median, best, bounds: row.bounds, verdict: verdictOf(median, row.bounds) };
    }),
  };
}

/** One line of the history: who and where, and the figures of each row. */
export function historyLine({ environment, noise, rows }: Report): string {
  const figures = Object.fromEntries(rows.map(({ name, median, best }) => [name, [round(median), round(best)]]));
  return JSON.stringify({ ...environment, noise: round(noise), rows: figures });
}

const round = (value: number): number => Number(value.toPrecision(4));
