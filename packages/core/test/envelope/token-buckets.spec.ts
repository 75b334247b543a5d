import { TokenBuckets } from '../../src/envelope/token-buckets.js';

describe('token buckets', () => {
  it('keep as many keys as they were told, those used last; one that was forgotten begins with a full bucket', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 3, () => 0);
    for (const key of ['a', 'b', 'c']) buckets.take(key);
    expect(buckets.take('a')).toBe(1000);
    for (let index = 0; index < 10_000; index++) {
      buckets.take(`flood ${index}`);
      buckets.take('a');
    }
    expect(buckets.size).toBe(3);
    expect([buckets.take('a'), buckets.take('b')]).toEqual([1000, 0]);
  });

  it('fill up again with time, up to the burst', () => {
    let now = 0;
    const buckets = new TokenBuckets({ perSecond: 2, burst: 2 }, 1, () => now);
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 500]);
    now = 500;
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 500]);
    now = 60_000;
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 500]);
  });
});
