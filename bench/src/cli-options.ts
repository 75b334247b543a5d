import { parseArgs } from 'node:util';
import { ROWS } from './rows/rows.js';

/** What the command line asks for. */
export interface CliOptions {
  readonly rows: readonly string[];
  readonly rounds: number;
  readonly shotMs: number;
  /** How often a probe runs. */
  readonly probeTimes: number;
  readonly json: string | undefined;
  readonly isQuick: boolean;
}

/** The text of `--help`. */
export const HELP = `npm run bench -- [options]

  --rows a,b     only these rows
  --quick        fewer and shorter rounds: ends within 3 minutes
  --rounds n     rounds of every row (5 or more for a result)
  --shot ms      milliseconds of one measurement
  --json file    writes everything that was measured as JSON
  --no-build     measures what is compiled already

Rows: ${Object.keys(ROWS).join(', ')}`;

/** @throws an Error that names what is wrong */
export function cliOptions(args: readonly string[]): CliOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      shot: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const rows = values.rows === undefined ? Object.keys(ROWS) : values.rows.split(',');
  const unknown = rows.filter((row) => !(row in ROWS));
  if (unknown.length > 0) throw new Error(`No such row: ${unknown.join(', ')}. Rows: ${Object.keys(ROWS).join(', ')}`);
  return {
    rows,
    rounds: number(values.rounds, values.quick ? 5 : 8),
    shotMs: number(values.shot, values.quick ? 250 : 500),
    probeTimes: values.quick ? 1 : 3,
    json: values.json,
    isQuick: values.quick,
  };
}

function number(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`"${text}" has to be a whole number of at least 1`);
  return value;
}
