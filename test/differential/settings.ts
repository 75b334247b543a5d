/** How a run is made; from the environment. */
export interface RunSettings {
  /** `DIFFERENTIAL_RUNS`: generated requests. @default 400 */
  readonly runs: number;
  /** `DIFFERENTIAL_SEED`: a number, or `random`. @default one that stays, so that a run says the same twice */
  readonly seed: number;
  /** `DIFFERENTIAL_MUTATE`: spoils one of our responses, to see the comparison fail. */
  readonly isSpoiled: boolean;
}

const SEED = 20_260_728;

export function readSettings(env: NodeJS.ProcessEnv): RunSettings {
  const { DIFFERENTIAL_RUNS: runs, DIFFERENTIAL_SEED: seed, DIFFERENTIAL_MUTATE: mutate } = env;
  return {
    runs: runs === undefined ? 400 : Number(runs),
    seed: seed === 'random' ? Math.floor(Math.random() * 0x7fff_ffff) : Number(seed ?? SEED),
    isSpoiled: mutate === '1',
  };
}
