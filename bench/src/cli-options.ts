import { parseArgs } from 'node:util';
import { ROWS } from './rows/rows.js';

/** Options of the command line. */
export interface CliOptions {
  readonly rows: readonly string[];
  readonly rounds: number;
  readonly shotMs: number;
  /** How often a probe runs. */
  readonly probeTimes: number;
  readonly json: string | undefined;
  readonly svg: string | undefined;
  /** Whether the history gets a line. */
  readonly isRecorded: boolean;
  /** Whether only the values of the guard are renewed. */
  readonly isGuard: boolean;
  /** When a quick run ends, by `performance.now()`. */
  readonly endAt: number | undefined;
}

/** After it a quick run begins no further round; compiling and the last round come on top of it. */
const QUICK_MS = 100_000;
/** Too long for a quick run. */
const SLOW = /^growth-|^poll-ledger$|-list(10|500)$|^list5000$|^listeners-|^add-tool$/;

/** The text of `--help`. */
export const HELP = `npm run bench -- [options]

  --rows a,b     only these rows
  --quick        fewer and shorter rounds, without the slowest rows: ends within 3 minutes
  --rounds n     rounds of every row (5 or more for a result)
  --shot ms      milliseconds of one measurement
  --json file    writes everything that was measured as JSON
  --svg file     writes a chart of all rows that have bounds
  --record       appends a line to bench/history.jsonl
  --guard        measures nothing else and renews bench/guard.json, which a test compares with
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
      svg: { type: 'string' },
      record: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const rows = values.rows === undefined ? defaultRows(values.quick) : values.rows.split(',');
  const unknown = rows.filter((row) => !(row in ROWS));
  if (unknown.length > 0) throw new Error(`No such row: ${unknown.join(', ')}. Rows: ${Object.keys(ROWS).join(', ')}`);
  return {
    rows,
    rounds: number(values.rounds, values.quick ? 5 : 8),
    shotMs: number(values.shot, values.quick ? 150 : 500),
    probeTimes: values.quick ? 1 : 3,
    json: values.json,
    svg: values.svg,
    isRecorded: values.record,
    isGuard: values.guard,
    endAt: values.quick ? QUICK_MS : undefined,
  };
}

function defaultRows(isQuick: boolean): string[] {
  return Object.keys(ROWS).filter((name) => !isQuick || !SLOW.test(name));
}

function number(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`"${text}" has to be a whole number of at least 1`);
  return value;
}
