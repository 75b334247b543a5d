import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { cliOptions, HELP, type CliOptions } from './cli-options.js';
import { measureRounds } from './measure/rounds.js';
import { spread } from './measure/statistics.js';
import { markdownTable } from './report/markdown.js';
import { FLOOR } from './rows/cells.js';
import type { Round } from './rows/row.js';
import { ROWS } from './rows/rows.js';

/** Above it the floor itself moved so much that medians say little. */
const NOISY = 0.4;

const SHOT_OPERATIONS = 1000;

async function run(options: CliOptions): Promise<void> {
  const rows = options.rows.map((name) => ROWS[name]!);
  const cells = [...new Set([FLOOR, ...rows.flatMap((row) => row.cells)])];
  const settings = { cells, rounds: options.rounds, shot: { ms: options.shotMs, operations: SHOT_OPERATIONS } };
  const load = loadavg();
  const rounds = await measureRounds({ ...settings, onRound: (round) => process.stderr.write(`round ${round} of ${options.rounds}\r`) });
  console.log(markdownTable(rows, rounds));
  console.log(`\n${summary(rounds, load)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ node: process.version, load, rounds }, undefined, 2));
}

function summary(rounds: readonly Round[], [before = 0]: readonly number[]): string {
  const floor = rounds.map((round) => round[FLOOR]!.cpuUs);
  const noise = spread(floor);
  return [
    `Node ${process.version}, load ${before.toFixed(1)} before and ${loadavg()[0]!.toFixed(1)} after`,
    `F ${Math.min(...floor).toFixed(1)} to ${Math.max(...floor).toFixed(1)} µs, spread ${Math.round(noise * 100)} %${noise > NOISY ? ': NOISY, trust the best of each row only' : ''}`,
  ].join('\n');
}

const options = cliOptions(process.argv.slice(2));
if (options === undefined) console.log(HELP);
else await run(options);
