import { bodyInvariants } from './body-invariants.js';
import { clientInvariants } from './client-invariants.js';
import { engineInvariants } from './engine-invariants.js';
import type { Invariant } from './invariant.js';
import { recordInvariants } from './record-invariants.js';
import type { Run } from './run.js';
import { runSchedule, type RunOptions } from './run-schedule.js';
import { factsOf } from './task-facts.js';

/** Everything that must hold of every run. */
export const INVARIANTS: readonly Invariant[] = [...recordInvariants, ...clientInvariants, ...engineInvariants, ...bodyInvariants];

/** What contradicts an invariant, each with its id; empty if all hold. */
export function violationsOf(run: Run): readonly string[] {
  const tasks = factsOf(run);
  return INVARIANTS.flatMap(({ id, promise, violations }) => [...violations(run, tasks)].map((what) => `${id} (${promise}): ${what}`));
}

/** What happens under a seed, line by line. */
export async function historyOf(seed: number, options: RunOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  await runSchedule(seed, { ...options, onEvent: (line) => lines.push(line) });
  return lines;
}
