import { number } from './markdown.js';
import type { Report, ReportRow } from './report.js';
import type { Verdict } from './verdict.js';

const ROW_HEIGHT = 22;
const LEFT = 380;
const WIDTH = 900;
const TOP = 56;
/** Pixels of the value that must hold; a bar ends at three times of it at most. */
const BOUND = 140;
const LONGEST = 3;
const COLOURS: Readonly<Record<Verdict, string>> = { goal: '#2e7d32', must: '#9e9d24', miss: '#c62828', '': '#607d8b' };

/** An SVG of all rows with bounds: each bar is the figure by what must hold, so that a bar beyond the line is a miss. */
export function chartOf({ environment, noise, rows }: Report): string {
  const bounded = rows.filter(({ bounds }) => bounds !== undefined);
  const height = TOP + bounded.length * ROW_HEIGHT + 16;
  const subtitle = `${environment.commit}, Node ${environment.node}, load ${environment.load.toFixed(1)}, floor moved by ${Math.round(noise * 100)} %`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    `<text x="10" y="20" font-size="15">Figures by what must hold</text>`,
    `<text x="10" y="40" fill="#555">${escaped(subtitle)}</text>`,
    ...bounded.map((row, index) => bar(row, TOP + index * ROW_HEIGHT)),
    `<line x1="${LEFT + BOUND}" x2="${LEFT + BOUND}" y1="${TOP - 6}" y2="${height - 10}" stroke="black" stroke-dasharray="4 3"/>`,
    '</svg>\n',
  ].join('\n');
}

function bar({ title, unit, median, bounds, verdict }: ReportRow, y: number): string {
  const share = shareOf(median, bounds!);
  const width = Math.max(1, Math.min(share, LONGEST) * BOUND);
  const value = `${number(median)} ${unit} (${bounds!.sense === 'most' ? '≤' : '≥'} ${bounds!.must})`;
  return [
    `<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${escaped(title)}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 6}" fill="${COLOURS[verdict]}"/>`,
    `<text x="${(LEFT + width + 6).toFixed(1)}" y="${y + 13}">${escaped(value)}</text>`,
  ].join('');
}

/** 1 is the bound itself; a bound of 0 is kept by 0 alone. */
function shareOf(value: number, { must, sense }: NonNullable<ReportRow['bounds']>): number {
  if (sense === 'least') return must / value;
  return must === 0 ? Number(value > 0) * LONGEST : value / must;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
