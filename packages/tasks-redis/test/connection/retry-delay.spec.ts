import { retryDelay } from '../../src/connection/client-options.js';

const attempts = Array.from({ length: 50 }, (_, index) => index + 1);

describe('the pause before another attempt to connect', () => {
  it('doubles from 50 ms, and stays at 2 seconds', () => {
    expect(attempts.slice(0, 8).map((attempt) => retryDelay(attempt, () => 1))).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000]);
    expect(attempts.every((attempt) => retryDelay(attempt) <= 2000)).toBe(true);
  });

  it('is down to half of that by chance', () => {
    expect(attempts.slice(0, 3).map((attempt) => retryDelay(attempt, () => 0))).toEqual([25, 50, 100]);
    expect(new Set(attempts.map(() => retryDelay(7))).size).toBeGreaterThan(1);
  });
});
