import { PROBES } from '../probes/probes.js';
import type { Measured } from '../report/measured.js';
import { CELLS, FLOOR } from '../rows/cells.js';
import type { ProbeResult, Round, Row } from '../rows/row.js';
import { startBenchRedis, type BenchRedis } from './redis.js';
import { measureRounds } from './rounds.js';

// Below it a shot says little, however long it took.
const SHOT_OPERATIONS = 500;

/** How much is measured. */
export interface MeasureSettings {
  readonly rows: readonly Row[];
  readonly rounds: number;
  readonly shotMs: number;
  readonly probeTimes: number;
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

function runRounds(cells: readonly string[], { rounds, shotMs, onProgress, redis }: WithRedis): Promise<Round[]> {
  return measureRounds({
    cells: [...new Set([FLOOR, ...cells])],
    rounds,
    shot: { ms: shotMs, operations: SHOT_OPERATIONS },
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
