import { isoTime } from '../../src/record/task-views.js';

const DAY_MS = 86_400_000;

describe('the text of a time', () => {
  it.each([0, 1, 999, 1000, DAY_MS - 1, DAY_MS, 1_785_369_600_000, -1, -DAY_MS, 253_402_300_800_000, 8.64e15, 1_785_369_600_000.9])(
    'is that of Date: %d',
    (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    },
  );

  it('is that of Date at any time of neighbouring days', () => {
    for (let ms = 1_785_369_600_000; ms < 1_785_369_600_000 + 3 * DAY_MS; ms += 7_654_321) {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
      expect(isoTime(ms - DAY_MS)).toBe(new Date(ms - DAY_MS).toISOString());
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.65e15])('does not exist for %d', (ms) => {
    expect(() => isoTime(ms)).toThrow(RangeError);
  });
});
