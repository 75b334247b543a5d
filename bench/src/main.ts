import { appendFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { cliOptions, HELP, type CliOptions } from './cli-options.js';
import { guardPromises, guardRatios } from './guard/guard-ratios.js';
import { measure } from './measure/measure.js';
import { chartOf } from './report/chart.js';
import { environment } from './report/environment.js';
import { markdownTable } from './report/markdown.js';
import type { Measured } from './report/measured.js';
import { isNoisy, noiseOf } from './report/noise.js';
import { historyLine, reportOf, type Report } from './report/report.js';
import { FLOOR } from './rows/cells.js';
import { ROWS } from './rows/rows.js';

const ENOUGH_ROUNDS = 5;
const HISTORY = join(import.meta.dirname, '../history.jsonl');
const GUARD = join(import.meta.dirname, '../guard.json');

async function run(options: CliOptions): Promise<void> {
  const rows = Object.fromEntries(options.rows.map((name) => [name, ROWS[name]!]));
  const around = environment();
  const onProgress = (what: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
  const measured = await measure({ ...options, rows: Object.values(rows), onProgress });
  const report = reportOf(rows, measured, around);
  console.log(markdownTable(Object.values(rows), measured));
  console.log(`\n${summary(measured, report)}`);
  await writeFiles(options, { report, measured });
}

function summary({ rounds }: Measured, { environment: { node, load }, rows }: Report): string {
  const misses = rows.filter(({ verdict }) => verdict === 'miss').map(({ name }) => name);
  const lines = [
    `Node ${node}, load ${load.toFixed(1)} before and ${loadavg()[0]!.toFixed(1)} after`,
    misses.length === 0 ? 'Every "must" holds.' : `Missed: ${misses.join(', ')}`,
  ];
  if (rounds.length === 0) return lines.join('\n');
  const floor = rounds.map((round) => round[FLOOR]!.cpuUs);
  const few = rounds.length < ENOUGH_ROUNDS ? `. TOO FEW ROUNDS for a result, ${ENOUGH_ROUNDS} are needed` : '';
  const noise = `spread ${Math.round(noiseOf(rounds) * 100)} %${isNoisy(rounds) ? ': NOISY, trust the best of each row only' : ''}${few}`;
  return [`${rounds.length} rounds, F ${Math.min(...floor).toFixed(1)} to ${Math.max(...floor).toFixed(1)} µs, ${noise}`, ...lines].join(
    '\n',
  );
}

async function writeFiles(
  { json, svg, isRecorded }: CliOptions,
  { report, measured }: { report: Report; measured: Measured },
): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ ...report, ...measured }, undefined, 2)}\n`);
  if (svg !== undefined) await writeFile(svg, chartOf(report));
  if (isRecorded) await appendFile(HISTORY, `${historyLine(report)}\n`);
}

async function renewGuard(): Promise<void> {
  const guard = JSON.stringify({ ratios: await guardRatios(), promises: await guardPromises() }, undefined, 2);
  await writeFile(GUARD, `${guard}\n`);
  console.log(guard);
}

const options = cliOptions(process.argv.slice(2));
if (options === undefined) console.log(HELP);
else if (options.isGuard) await renewGuard();
else await run(options);
