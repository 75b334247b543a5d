import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { cliOptions, HELP, type CliOptions } from './cli-options.js';
import { measure } from './measure/measure.js';
import { spread } from './measure/statistics.js';
import { markdownTable } from './report/markdown.js';
import type { Measured } from './report/measured.js';
import { FLOOR } from './rows/cells.js';
import { ROWS } from './rows/rows.js';

/** Above it the floor itself moved so much that medians say little. */
const NOISY = 0.4;

async function run(options: CliOptions): Promise<void> {
  const rows = options.rows.map((name) => ROWS[name]!);
  const onProgress = (what: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
  const load = loadavg();
  const measured = await measure({ ...options, rows, onProgress });
  console.log(markdownTable(rows, measured));
  console.log(`\n${summary(measured, load)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ node: process.version, load, ...measured }, undefined, 2));
}

function summary({ rounds }: Measured, [before = 0]: readonly number[]): string {
  const machine = `Node ${process.version}, load ${before.toFixed(1)} before and ${loadavg()[0]!.toFixed(1)} after`;
  if (rounds.length === 0) return machine;
  const floor = rounds.map((round) => round[FLOOR]!.cpuUs);
  const noise = spread(floor);
  const verdict = noise > NOISY ? ': NOISY, trust the best of each row only' : '';
  return `${machine}\nF ${Math.min(...floor).toFixed(1)} to ${Math.max(...floor).toFixed(1)} µs, spread ${Math.round(noise * 100)} %${verdict}`;
}

const options = cliOptions(process.argv.slice(2));
if (options === undefined) console.log(HELP);
else await run(options);
