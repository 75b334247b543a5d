import { PROBES } from '../probes/probes.js';
import type { Measured } from '../report/measured.js';
import { isNoisy, noiseOf } from '../report/noise.js';
import { CELLS, FLOOR } from '../rows/cells.js';
import type { ProbeResult, Round, Row } from '../rows/row.js';
import { startBenchRedis, type BenchRedis } from './redis.js';
import { measureRounds } from './rounds.js';

// Below it a shot says little, however long it took.
const SHOT_OPERATIONS = 500;
// V8 compiles the last of what an operation enters after some fifteen thousand of them: until then it costs twice as much, and the more the longer its way is.
const WARM_UP = { ms: 500, operations: 20_000 };
const QUICK_WARM_UP = { ms: 250, operations: 5000 };
/** A noisy run is repeated that often at most. */
const REPEATS = 2;

/** How much is measured. */
export interface MeasureSettings {
  readonly rows: readonly Row[];
  readonly rounds: number;
  readonly shotMs: number;
  readonly probeTimes: number;
  /** Ends within the time, by `performance.now()`, as well as it can; then a noisy run is not repeated. */
  readonly endAt: number | undefined;
  readonly onProgress: (what: string) => void;
}

/** Measures what the rows need: probes first, each by itself, then all cells in interleaved rounds. */
export async function measure(settings: MeasureSettings): Promise<Measured> {
  const { rows } = settings;
  const probes = [...new Set(rows.flatMap((row) => ('probe' in row ? [row.probe] : [])))];
  const cells = [...new Set(rows.flatMap((row) => ('cells' in row ? row.cells : [])))];
  const needsRedis = probes.some((name) => PROBES[name]!.usesRedis) || cells.some((name) => CELLS[name]!.usesRedis);
  const redis = needsRedis ? await startBenchRedis() : undefined;
  try {
    const probed = await runProbes(probes, { ...settings, redis });
    return { probes: probed, rounds: cells.length === 0 ? [] : await runRounds(cells, { ...settings, redis }) };
  } finally {
    await redis?.stop();
  }
}

type WithRedis = MeasureSettings & { readonly redis: BenchRedis | undefined };

/** Of a noisy run and its repetitions, the one that was disturbed least. */
async function runRounds(cells: readonly string[], settings: WithRedis): Promise<Round[]> {
  let best = await oneRun(cells, settings);
  for (let repeat = 0; repeat < REPEATS && settings.endAt === undefined && isNoisy(best); repeat += 1) {
    settings.onProgress(`the floor moved by ${Math.round(noiseOf(best) * 100)} %: again`);
    const again = await oneRun(cells, settings);
    if (noiseOf(again) < noiseOf(best)) best = again;
  }
  return best;
}

function oneRun(cells: readonly string[], { rounds, shotMs, endAt, onProgress, redis }: WithRedis): Promise<Round[]> {
  return measureRounds({
    cells: [...new Set([FLOOR, ...cells])],
    rounds,
    shot: { ms: shotMs, operations: SHOT_OPERATIONS },
    warmUp: endAt === undefined ? WARM_UP : QUICK_WARM_UP,
    ...(endAt === undefined ? {} : { endAt }),
    redisCpu: redis?.cpu,
    onProgress,
  });
}

async function runProbes(names: readonly string[], { probeTimes, onProgress, redis }: WithRedis): Promise<Record<string, ProbeResult[]>> {
  const results: Record<string, ProbeResult[]> = {};
  for (const name of names) {
    const { run, times = probeTimes } = PROBES[name]!;
    results[name] = [];
    for (let time = 1; time <= times; time += 1) {
      onProgress(`probe ${name}, ${time} of ${times}`);
      results[name].push(await run(redis));
    }
  }
  return results;
}
