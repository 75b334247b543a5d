import { jest } from '@jest/globals';
import { computeWithin, OutOfTime, runWithin } from '../../src/schema/run-within.js';

const backtrack = (): boolean => /^(a+)+$/.test(`${'a'.repeat(40)}!`);
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('work that is watched', () => {
  test('yields what it yields', () => {
    expect(runWithin(1_000, () => 'done')).toBe('done');
    expect(computeWithin(1_000, () => 'done')).toBe('done');
  });

  test('throws what it throws, as it was', () => {
    const error = new TypeError('mine');
    const { stack } = error;
    const fail = (): never => {
      throw error;
    };
    expect(() => runWithin(1_000, fail)).toThrow(error);
    expect(() => computeWithin(1_000, fail)).toThrow(error);
    expect(error.stack).toBe(stack);
  });

  test('is stopped in the middle of a regular expression, and the next is not', () => {
    expect(() => runWithin(20, backtrack)).toThrow(OutOfTime);
    expect(() => computeWithin(20, backtrack)).toThrow(OutOfTime);
    expect(runWithin(1_000, () => 'next')).toBe('next');
  });

  test('may itself watch', () => {
    const inner = (): string => {
      expect(() => runWithin(20, backtrack)).toThrow(OutOfTime);
      return 'outer';
    };
    expect(runWithin(5_000, inner)).toBe('outer');
  });

  test('holds on to nothing', () => {
    runWithin(1_000, () => 'done');
    expect(Object.keys(globalThis)).not.toContain('run');
  });

  test('that got no processor is begun again', () => {
    let begun = 0;
    const usage = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    try {
      const value = computeWithin(20, () => {
        begun += 1;
        if (begun < 3) spin(1_000);
        return 'at last';
      });
      expect([value, begun]).toEqual(['at last', 3]);
    } finally {
      usage.mockRestore();
    }
  });

  test('that never gets any is given up', () => {
    const usage = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    try {
      expect(() => computeWithin(2, () => spin(10_000))).toThrow(OutOfTime);
    } finally {
      usage.mockRestore();
    }
  });
});
