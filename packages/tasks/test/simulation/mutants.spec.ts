import type { CallRunner } from '@mocapi/core/extension';
import { INVARIANTS, violationsOf } from './support/check-run.js';
import { MUTANTS, type KnownMutant } from './support/mutants.js';
import { runSchedule } from './support/run-schedule.js';
import { scriptedCalls } from './support/scripted-tools.js';

let calls: CallRunner;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ calls, close } = await scriptedCalls());
});

afterAll(() => close());

/** The first seed under which the invariant that `mutant` breaks is violated. */
async function seedOf({ breaks, ...mutant }: KnownMutant, limit: number): Promise<number | undefined> {
  for (let seed = 1; seed <= limit; seed++) {
    const violations = violationsOf(await runSchedule(seed, { calls, mutant }));
    if (violations.some((violation) => violation.startsWith(`${breaks} `))) return seed;
  }
  return undefined;
}

describe('the simulation', () => {
  it.each(MUTANTS)(
    'finds out within 300 schedules when $name: $breaks',
    async (mutant) => {
      expect(await seedOf(mutant, 300)).toBeDefined();
    },
    60_000,
  );

  it('is seen to find every kind of violation that it looks for', () => {
    const found = new Set(MUTANTS.map(({ breaks }) => breaks));
    expect([...new Set(INVARIANTS.map(({ id }) => id))].filter((id) => !found.has(id))).toEqual([]);
  });
});
