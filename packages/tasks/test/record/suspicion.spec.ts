import type { TaskRun } from '@mocapi/tasks';
import { firstGroup, groupSize, neverBegan, suspicionOf } from '../../src/record/run-life.js';

const RUN: TaskRun = { owner: 'a', id: 'run', fence: 1, attempt: 1 };

describe('a run whose node died', () => {
  it.each<[what: string, run: Partial<TaskRun>, counts: boolean, group: number | undefined]>([
    ['began like any other', {}, true, undefined],
    ['waited for a place', { waiting: true }, false, undefined],
    ['waited for its last try', { waiting: true, probation: 'waiting', group: 4 }, false, 4],
    ['was given up before it began', { released: 'unbegun' }, false, undefined],
    ['was given up in the midst', { released: 'begun' }, false, undefined],
    ['was trusted', { probation: 'acquitted', group: 4 }, false, 4],
    ['began its last try among seven', { probation: 'begun', group: 7 }, false, 4],
    ['began its last try among two', { probation: 'begun', group: 2 }, false, 1],
    ['began its last try alone', { probation: 'begun', group: 1 }, true, undefined],
    ['began its last try under a release that tried one at a time', { probation: 'begun' }, true, undefined],
  ])('that %s is judged so', (...[, run, counts, group]) => {
    expect(suspicionOf({ ...RUN, ...run })).toEqual({ counts, group });
  });

  it('never began if it waited, or was given up before', () => {
    const never: Partial<TaskRun>[] = [{ waiting: true }, { probation: 'waiting' }, { released: 'unbegun' }];
    const begun: Partial<TaskRun>[] = [{}, { probation: 'begun' }, { probation: 'acquitted' }, { released: 'begun' }];
    expect(never.every((run) => neverBegan({ ...RUN, ...run }))).toBe(true);
    expect(begun.some((run) => neverBegan({ ...RUN, ...run }))).toBe(false);
  });
});

describe('a group', () => {
  it('is as large as none of its members objects to, and never empty', () => {
    expect(groupSize([3, 3, 3, 3])).toBe(3);
    expect(groupSize([5, 5, 2, 5])).toBe(2);
    expect(groupSize([5, 5, 5, 1])).toBe(3);
    expect(groupSize([1, 5])).toBe(1);
    expect(groupSize([4])).toBe(1);
  });
});

/** Tries suspects on one node after the other, of which one kills its node; returns the deaths it took. */
function deathsUntilFound(count: number, poison: number): { deaths: number; failed: number[] } {
  let suspects = Array.from({ length: count }, (_, name) => ({ name, limit: firstGroup(count) }));
  for (let deaths = 0; ;) {
    const size = groupSize(suspects.map(({ limit }) => limit));
    const group = suspects.slice(0, size);
    if (!group.some(({ name }) => name === poison)) {
      // All of them have ended, or were trusted.
      suspects = suspects.slice(size);
      continue;
    }
    deaths += 1;
    const judged = group.map(({ name }) => ({ name, ...suspicionOf({ ...RUN, probation: 'begun', group: size }) }));
    const failed = judged.filter(({ counts }) => counts).map(({ name }) => name);
    if (failed.length > 0) return { deaths, failed };
    suspects = [...judged.map(({ name, group: limit }) => ({ name, limit: limit! })), ...suspects.slice(size)];
  }
}

describe('one that kills its nodes', () => {
  it.each([1, 2, 3, 5, 16, 64, 100])('is found among %i in at most log2 of that many deaths, and nobody fails with it', (count) => {
    for (let poison = 0; poison < count; poison++) {
      const { deaths, failed } = deathsUntilFound(count, poison);
      expect(failed).toEqual([poison]);
      expect(deaths).toBeLessThanOrEqual(Math.max(1, Math.ceil(Math.log2(count))));
    }
  });
});
