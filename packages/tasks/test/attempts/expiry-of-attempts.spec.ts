import { InProcessTaskExecutor } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { RunningAttempts } from '../../src/attempts/running-attempts.js';
import type { TaskAttempt } from '../../src/attempts/task-attempt.js';
import { WatchedStore } from '../e2e/support/watched-store.js';
import { attemptFixture } from './attempts.js';

let clock: FakeClock;
let store: WatchedStore;
let running: RunningAttempts;

beforeEach(() => {
  clock = new FakeClock();
  store = new WatchedStore(clock);
  store.close();
  const executor = new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 1 });
  running = new RunningAttempts({ executor, clock, abandonAfterMs: 3_600_000_000_000 });
});

/** An attempt that runs, at a task with that long to live. */
async function runs(ttlMs: number): Promise<TaskAttempt> {
  const { attempt } = await attemptFixture({ clock, store, ttlMs });
  running.add(attempt);
  return attempt;
}

const reasons = (...attempts: readonly TaskAttempt[]): unknown[] => attempts.map(({ signal }) => signal.reason);

describe('the deadline of an attempt', () => {
  it('aborts the signal one millisecond after the last at which the task lives', async () => {
    const attempt = await runs(5000);
    await clock.advance(5000);
    expect(attempt.signal.aborted).toBe(false);
    await clock.advance(1);
    expect([attempt.signal.aborted, attempt.signal.reason]).toEqual([true, 'expired']);
  });

  it('holds beyond what one timer can wait', async () => {
    const ttlMs = 40 * 24 * 3600 * 1000;
    const attempt = await runs(ttlMs);
    // A clock that can't wait that long wakes early; the attempt looks at the time and waits on.
    const setTimer = clock.setTimer.bind(clock);
    clock.setTimer = (fn, ms) => setTimer(fn, Math.min(ms, 2 ** 31 - 1));
    const second = await runs(ttlMs);
    await clock.advance(ttlMs);
    expect([attempt.signal.aborted, second.signal.aborted]).toEqual([false, false]);
    await clock.advance(1);
    expect(reasons(attempt, second)).toEqual(['expired', 'expired']);
  });

  it('aborts an attempt at once if it has passed already', async () => {
    const { attempt } = await attemptFixture({ clock, store, ttlMs: 1 });
    await clock.advance(10);
    running.add(attempt);
    await clock.advance(0);
    expect(attempt.signal.reason).toBe('expired');
  });

  it('aborts none that has ended, and leaves no timer', async () => {
    const attempt = await runs(60_000);
    running.ended(attempt);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(100_000);
    expect(attempt.signal.aborted).toBe(false);
  });

  it('aborts an attempt that a later one at the same task has outrun, at its own time', async () => {
    const former = await runs(200);
    const { attempt } = await attemptFixture({ clock, store, ttlMs: 100 });
    Object.defineProperty(attempt, 'key', { value: former.key });
    running.add(attempt);
    await clock.advance(101);
    expect(reasons(former, attempt)).toEqual([undefined, 'expired']);
    await clock.advance(100);
    expect(reasons(former, attempt)).toEqual(['expired', 'expired']);
  });
});

describe('deadlines of attempts', () => {
  it('have one timer between them, however many there are, and none once the last has ended', async () => {
    const attempts: TaskAttempt[] = [];
    for (let index = 0; index < 1000; index++) attempts.push(await runs(5000 - index));
    expect(clock.pendingTimers).toBe(1);
    for (const attempt of attempts) running.ended(attempt);
    expect(clock.pendingTimers).toBe(0);
  });

  it('each expires at the first instant after its life, in order, and those that ended do not', async () => {
    const late = await runs(300);
    const early = await runs(100);
    const ended = await runs(200);
    running.ended(ended);
    await clock.advance(100);
    expect(reasons(late, early, ended)).toEqual([undefined, undefined, undefined]);
    await clock.advance(1);
    expect(reasons(late, early, ended)).toEqual([undefined, 'expired', undefined]);
    await clock.advance(1000);
    expect(reasons(late, early, ended)).toEqual(['expired', 'expired', undefined]);
  });

  it('keep nothing of the many that ended while one goes on', async () => {
    await runs(1_000_000);
    for (let index = 0; index < 3000; index++) running.ended(await runs(500_000));
    const { heap } = (running as unknown as { expiry: { heap: { size: number } } }).expiry;
    expect(heap.size).toBeLessThan(1100);
  });
});
