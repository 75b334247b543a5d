import type { LoadLength } from '../load/http-load.js';
import { CELLS, FLOOR } from '../rows/cells.js';
import type { Round } from '../rows/row.js';
import { SUBJECTS } from '../rows/subjects.js';
import { shoot, type RedisCpu, type Sample } from './cell.js';
import { Subject } from './subject.js';

/** How long and how often. */
export interface RoundSettings {
  readonly cells: readonly string[];
  readonly rounds: number;
  readonly shot: LoadLength;
  /** By operations above all, since they are what the compiler of V8 counts. */
  readonly warmUp: LoadLength;
  readonly settleMs?: number;
  /** No further round begins after it, by `performance.now()`. @default there is no end */
  readonly endAt?: number;
  /** Given where a cell uses Redis. */
  readonly redisCpu: RedisCpu | undefined;
  readonly onProgress: (what: string) => void;
}

/** Measures all cells in interleaved rounds, each process up all the time, the order reversed in every other round. */
export async function measureRounds(settings: RoundSettings): Promise<Round[]> {
  const { cells, rounds, onProgress, settleMs, endAt = Number.POSITIVE_INFINITY } = settings;
  const subjects = await startAll(cells);
  const shot = (name: string, length: LoadLength): Promise<Sample> => {
    const cell = CELLS[name]!;
    const redisCpu = cell.usesRedis ? settings.redisCpu : undefined;
    return shoot(cell, subjects.get(cell.subject)!, { length, redisCpu, ...(settleMs === undefined ? {} : { settleMs }) });
  };
  try {
    for (const name of cells) {
      onProgress(`warming up: ${CELLS[name]!.title}`);
      await shot(name, settings.warmUp);
    }
    const done: Round[] = [];
    for (let index = 0; index < rounds && (index === 0 || performance.now() < endAt); index += 1) {
      onProgress(`round ${index + 1} of ${rounds}`);
      done.push(await oneRound(index % 2 === 0 ? cells : cells.toReversed(), (name) => shot(name, settings.shot)));
    }
    return done;
  } finally {
    await Promise.all([...subjects.values()].map((subject) => subject.stop()));
  }
}

/** The floor is measured at both ends of a round, so that a drift within it counts half. */
async function oneRound(cells: readonly string[], shot: (name: string) => Promise<Sample>): Promise<Round> {
  const others = cells.filter((name) => name !== FLOOR);
  const round: Record<string, Sample> = {};
  const first = await shot(FLOOR);
  for (const name of others) round[name] = await shot(name);
  const last = await shot(FLOOR);
  round[FLOOR] = {
    cpuUs: (first.cpuUs + last.cpuUs) / 2,
    perSecond: (first.perSecond + last.perSecond) / 2,
    bad: first.bad + last.bad,
  };
  return round;
}

async function startAll(cells: readonly string[]): Promise<Map<string, Subject>> {
  const names = [...new Set([FLOOR, ...cells].map((cell) => CELLS[cell]!.subject))];
  return new Map(await Promise.all(names.map(async (name) => [name, await Subject.start(SUBJECTS[name]!)] as const)));
}
