import type { Sample } from '../measure/cell.js';
import { median } from '../measure/statistics.js';
import type { Bounds, Row } from '../rows/row.js';
import { figureOf, type Measured } from './measured.js';
import { verdictOf } from './verdict.js';

const HEAD = ['row', 'figure (best)', 'must / goal', '', 'CPU µs (min)', 'per second', 'bad'];

/** The rows as a Markdown table, the columns aligned for a terminal. */
export function markdownTable(rows: readonly Row[], measured: Measured): string {
  return table([HEAD, ...rows.map((row) => cellsOf(row, measured))]);
}

function cellsOf(row: Row, measured: Measured): string[] {
  const { title, unit, bounds } = row;
  const { median: value, best } = figureOf(row, measured);
  return [
    title,
    `${number(value)} ${unit} (${number(best)})`,
    boundsText(bounds, unit),
    verdictOf(value, bounds),
    ...('cells' in row ? sampleColumns(measured.rounds.map((round) => round[row.cells[0]!]!)) : ['', '', '']),
  ];
}

function sampleColumns(samples: readonly Sample[]): string[] {
  const cpu = samples.map(({ cpuUs }) => cpuUs);
  const bad = samples.reduce((sum, sample) => sum + sample.bad, 0);
  const perSecond = median(samples.map((sample) => sample.perSecond));
  return [`${number(median(cpu))} (${number(Math.min(...cpu))})`, Math.round(perSecond).toLocaleString('en'), String(bad)];
}

function boundsText(bounds: Bounds | undefined, unit: string): string {
  if (bounds === undefined) return '';
  return `${bounds.sense === 'most' ? '≤' : '≥'} ${bounds.must} / ${bounds.goal} ${unit}`.trimEnd();
}

/** Three figures that count. */
export function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}

function table([head, ...body]: readonly (readonly string[])[]): string {
  const widths = head!.map((_, column) => Math.max(...[head!, ...body].map((row) => row[column]!.length), 3));
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
