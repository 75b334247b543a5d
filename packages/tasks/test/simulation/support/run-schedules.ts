import type { CallRunner } from '@mocapi/core/extension';
import { historyOf, violationsOf } from './check-run.js';
import type { Mutant } from './mutant.js';
import { runSchedule } from './run-schedule.js';

/** Which schedules to run. */
export interface SchedulesOptions {
  readonly calls: CallRunner;
  readonly firstSeed: number;
  readonly count: number;
  readonly mutant?: Mutant;
  /** Milliseconds after which no other is begun, once there were `atLeast`. */
  readonly budgetMs?: number;
  readonly atLeast?: number;
}

/** What came of them. */
export interface SchedulesReport {
  readonly schedules: number;
  readonly events: number;
  readonly ms: number;
  /** How often each kind of fault struck. */
  readonly faults: Readonly<Record<string, number>>;
  /** How each task ended that could be read at the end. */
  readonly ends: Readonly<Record<string, number>>;
  /** The first schedule in which an invariant did not hold; with it the others end. */
  readonly failure?: { readonly seed: number; readonly violations: readonly string[] };
}

/** Runs schedules by seeds that follow each other, until one violates an invariant. */
export async function runSchedules(options: SchedulesOptions): Promise<SchedulesReport> {
  const { calls, firstSeed, count, mutant = {}, budgetMs = Infinity, atLeast = 1 } = options;
  const begin = performance.now();
  const faults: Record<string, number> = {};
  const ends: Record<string, number> = {};
  let [schedules, events] = [0, 0];
  const report = (): SchedulesReport => ({ schedules, events, faults, ends, ms: Math.round(performance.now() - begin) });
  for (let seed = firstSeed; seed < firstSeed + count && (schedules < atLeast || performance.now() - begin < budgetMs); seed++) {
    const run = await runSchedule(seed, { calls, mutant });
    const violations = violationsOf(run);
    if (violations.length > 0) return { ...report(), failure: { seed, violations } };
    schedules += 1;
    events += run.events;
    for (const [kind, times] of run.history.faults) faults[kind] = (faults[kind] ?? 0) + times;
    for (const { status } of run.remains.tasks) ends[status] = (ends[status] ?? 0) + 1;
  }
  return report();
}

/** For people: the seed, what was violated, and all that happened in the schedule. */
export async function describeFailure(calls: CallRunner, { failure }: SchedulesReport): Promise<string> {
  if (!failure) return '';
  const lines = await historyOf(failure.seed, { calls });
  return [`Seed ${failure.seed}:`, ...failure.violations, '', ...lines].join('\n');
}
