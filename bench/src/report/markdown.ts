import type { Sample } from '../measure/cell.js';
import { median } from '../measure/statistics.js';
import type { Bounds, Round, Row } from '../rows/row.js';
import { verdictOf } from './verdict.js';

const HEAD = ['row', 'figure (best)', 'must / goal', '', 'CPU µs (min)', 'per second', 'bad'];

/** The rows as a Markdown table, the columns aligned for a terminal. */
export function markdownTable(rows: readonly Row[], rounds: readonly Round[]): string {
  return table([HEAD, ...rows.map((row) => cellsOf(row, rounds))]);
}

function cellsOf({ title, unit, cells, figure, bounds }: Row, rounds: readonly Round[]): string[] {
  const { median: value, best } = figure(rounds);
  const samples = rounds.map((round) => round[cells[0]!]!);
  const of = (name: keyof Sample) => samples.map((sample) => sample[name] ?? 0);
  return [
    title,
    `${number(value)} ${unit} (${number(best)})`,
    boundsText(bounds, unit),
    verdictOf(value, bounds),
    `${number(median(of('cpuUs')))} (${number(Math.min(...of('cpuUs')))})`,
    Math.round(median(of('perSecond'))).toLocaleString('en'),
    String(of('bad').reduce((sum, bad) => sum + bad, 0)),
  ];
}

function boundsText(bounds: Bounds | undefined, unit: string): string {
  if (bounds === undefined) return '';
  return `${bounds.sense === 'most' ? '≤' : '≥'} ${bounds.must} / ${bounds.goal} ${unit}`;
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function table([head, ...body]: readonly (readonly string[])[]): string {
  const widths = head!.map((_, column) => Math.max(...[head!, ...body].map((row) => row[column]!.length), 3));
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
