import { promisesOfCall } from '../probes/promises.js';
import { measureRounds } from '../measure/rounds.js';
import { median } from '../measure/statistics.js';
import { FLOOR } from '../rows/cells.js';

type Ratios = Readonly<Record<string, number>>;

const CELLS = ['zod', 'create', 'get'];
const SHOT = { ms: 50, operations: 200 };
// As many as V8 needs before a long way costs what it always will.
const WARM_UP = { ms: 500, operations: 15_000 };
/** Many short rounds: what disturbs the machine then disturbs all cells alike. */
const ROUNDS = 15;

/** CPU time of each cell of the guard by that of the floor beside it, the middle of many rounds. It takes some seconds. */
export async function guardRatios(): Promise<Ratios> {
  const rounds = await measureRounds({
    cells: [FLOOR, ...CELLS],
    rounds: ROUNDS,
    shot: SHOT,
    warmUp: WARM_UP,
    settleMs: 2,
    redisCpu: undefined,
    onProgress: () => undefined,
  });
  const ratio = (cell: string) => median(rounds.map((round) => round[cell]!.cpuUs / round[FLOOR]!.cpuUs));
  return Object.fromEntries(CELLS.map((cell) => [cell, Number(ratio(cell).toFixed(2))]));
}

/** Promises of a warm call beyond those of a bare route. The machine's speed has no part in it. */
export async function guardPromises(): Promise<number> {
  return (await promisesOfCall())['beyond']!;
}
