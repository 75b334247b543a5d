import { FakeClock } from '@mocapi/testing';
import { AttemptDeadlines } from '../../src/attempts/attempt-deadlines.js';

let clock: FakeClock;
let deadlines: AttemptDeadlines;
let expired: string[];

beforeEach(() => {
  clock = new FakeClock();
  deadlines = new AttemptDeadlines(clock);
  expired = [];
});

const watch = (name: string, lifeMs: number): (() => void) => deadlines.watch(lifeMs, () => expired.push(name));

describe('deadlines of attempts', () => {
  it('have one timer between them, however many there are, and none once the last has ended', () => {
    const ends = Array.from({ length: 1000 }, (_, index) => watch(String(index), 5000 - index));
    expect(clock.pendingTimers).toBe(1);
    for (const end of ends) end();
    expect(clock.pendingTimers).toBe(0);
  });

  it('each expires at the first instant after its life, in order, and those that ended do not', async () => {
    watch('late', 300);
    watch('early', 100);
    watch('ended', 200)();
    await clock.advance(100);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual(['early']);
    await clock.advance(1000);
    expect([expired, clock.pendingTimers]).toEqual([['early', 'late'], 0]);
  });

  it('leaves no timer when the last one expires and others ended before it', async () => {
    watch('expires', 100);
    watch('ended', 500)();
    await clock.advance(101);
    expect([expired, clock.pendingTimers]).toEqual([['expires'], 0]);
  });

  it('keep nothing of the many that ended while one goes on', () => {
    watch('goes on', 1_000_000);
    for (let index = 0; index < 10_000; index++) watch(String(index), 5000)();
    const { heap } = deadlines as unknown as { heap: { size: number } };
    expect(heap.size).toBeLessThan(100);
  });
});
