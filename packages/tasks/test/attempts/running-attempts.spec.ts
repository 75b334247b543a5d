import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { InProcessTaskExecutor } from '@mocapi/tasks';
import type { FakeClock } from '@mocapi/testing';
import { RunningAttempts } from '../../src/attempts/running-attempts.js';
import type { TaskAttempt } from '../../src/attempts/task-attempt.js';
import { deferred, turns, type Deferred } from '../e2e/support/flow.js';
import { attemptFixture, type AttemptFixture } from './attempts.js';

const ABANDON_AFTER = 10_000;

let fixture: AttemptFixture;
let clock: FakeClock;
let executor: InProcessTaskExecutor;
let running: RunningAttempts;
let body: Deferred;
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(async () => {
  fixture = await attemptFixture({ ttlMs: 3_600_000 });
  ({ clock } = fixture);
  fixture.store.close();
  executor = new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 1 });
  running = new RunningAttempts({ executor, clock, abandonAfterMs: ABANDON_AFTER });
  body = deferred();
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  running.add(fixture.attempt);
  void body.promise.then(() => running.ended(fixture.attempt));
});

afterEach(() => warn.mockRestore());

/** How many listen to the attempt's end. */
function listenersOf({ signal }: TaskAttempt): number {
  return (signal as unknown as { readonly listeners?: ReadonlySet<unknown> }).listeners?.size ?? 0;
}

describe('an attempt that runs', () => {
  it('is there until its execution has settled, and gives its slot back once', async () => {
    expect([running.size, fixture.released()]).toEqual([1, 0]);
    body.resolve();
    await turns(1);
    expect([running.size, fixture.released()]).toEqual([0, 1]);
    expect(listenersOf(fixture.attempt)).toBe(0);
  });

  it('is told to stop by its key, and another is not', async () => {
    const other = await attemptFixture({ clock });
    running.add(other.attempt);
    running.abort(fixture.attempt.key, 'cancelled');
    expect([fixture.attempt.signal.reason, other.attempt.signal.aborted]).toEqual(['cancelled', false]);
  });

  it('is not forgotten when a former attempt of the same task ends after it began', async () => {
    const second = await attemptFixture({ clock });
    Object.defineProperty(second.attempt, 'key', { value: fixture.attempt.key });
    running.add(second.attempt);
    body.resolve();
    await turns(1);
    running.abort(fixture.attempt.key, 'cancelled');
    expect(second.attempt.signal.reason).toBe('cancelled');
  });
});

describe('a body that goes on after it was told to stop', () => {
  it('keeps its slot until abandonAfter, then is counted as a zombie with a warning', async () => {
    running.abort(fixture.attempt.key, 'cancelled');
    await clock.advance(ABANDON_AFTER - 1);
    expect([fixture.released(), executor.load().zombies, warn.mock.calls.length]).toEqual([0, 0, 0]);
    await clock.advance(1);
    expect([fixture.released(), executor.load().zombies, warn.mock.calls.length]).toEqual([1, 1, 1]);
    body.resolve();
    await turns(1);
    expect([executor.load().zombies, running.size]).toEqual([0, 0]);
  });

  it('that ends in time is none, and leaves no timer', async () => {
    const timers = clock.pendingTimers;
    running.abort(fixture.attempt.key, 'cancelled');
    expect(clock.pendingTimers).toBe(timers + 1);
    body.resolve();
    await turns(1);
    expect([clock.pendingTimers, fixture.released()]).toEqual([0, 1]);
    await clock.advance(ABANDON_AFTER);
    expect([executor.load().zombies, warn.mock.calls.length]).toEqual([0, 0]);
  });

  it('is found also when it was told before it was added', async () => {
    const late = await attemptFixture({ clock });
    late.attempt.abort('expired');
    running.add(late.attempt);
    await clock.advance(ABANDON_AFTER);
    expect([late.released(), executor.load().zombies]).toEqual([1, 1]);
  });

  it('does not hold the end of the application once it was given up on', async () => {
    running.abort(fixture.attempt.key, 'cancelled');
    await clock.advance(ABANDON_AFTER);
    const ended = running.shutdown({ drainMs: 0, graceMs: 2000 }).then(() => 'ended');
    expect(await Promise.race([ended, turns(5).then(() => 'held')])).toBe('ended');
  });
});

describe('the end of the application', () => {
  it('tells every attempt, and waits for their bodies', async () => {
    const order: string[] = [];
    const shutdown = running.shutdown({ drainMs: 0, graceMs: 2000 }).then(() => order.push('shutdown'));
    expect(fixture.attempt.signal.reason).toBe('shutdown');
    await turns(3);
    expect(order).toEqual([]);
    order.push('body');
    body.resolve();
    await shutdown;
    expect([order, clock.pendingTimers]).toEqual([['body', 'shutdown'], 0]);
  });

  it('waits no longer than its grace, and leaves no timer and no listener', async () => {
    const shutdown = running.shutdown({ drainMs: 0, graceMs: 2000 }).then(() => 'ended');
    await clock.advance(1999);
    expect(await Promise.race([shutdown, turns(3).then(() => 'held')])).toBe('held');
    await clock.advance(1);
    expect(await shutdown).toBe('ended');
    expect(clock.pendingTimers).toBe(0);
    expect(listenersOf(fixture.attempt)).toBe(0);
  });

  it('is told at once to an attempt that comes after it', async () => {
    body.resolve();
    await running.shutdown({ drainMs: 0, graceMs: 2000 });
    const late = await attemptFixture({ clock });
    running.add(late.attempt);
    expect(late.attempt.signal.reason).toBe('shutdown');
  });

  it('is at once when nothing runs', async () => {
    body.resolve();
    await turns(1);
    await running.shutdown({ drainMs: 0, graceMs: 2000 });
    expect(clock.pendingTimers).toBe(0);
  });
});
