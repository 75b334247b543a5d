import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { McpError } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { cancelled, InProcessTaskExecutor, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { AttemptRunner } from '../../src/attempts/attempt-runner.js';
import { RunningAttempts } from '../../src/attempts/running-attempts.js';
import type { TaskAttempt } from '../../src/attempts/task-attempt.js';
import { deferred, turns, type Deferred } from '../e2e/support/flow.js';
import { WatchedStore } from '../e2e/support/watched-store.js';
import { attemptLimits, uncounted, unentered } from './attempts.js';

const done = { kind: 'completed', result: { resultType: 'complete', content: [] }, ledger: [], principal: undefined } as CallOutcome;

/** Whose sessions are all its own, unless the test says otherwise. */
const nodes = { session: unentered.session, isSure: true, leaveBehind: () => undefined };

let clock: FakeClock;
let store: WatchedStore;
let running: RunningAttempts;
let runner: AttemptRunner;
let executor: InProcessTaskExecutor;
let attempt: TaskAttempt;
let outcome: Deferred<CallOutcome>;
let errors: ReturnType<typeof jest.spyOn>;

beforeEach(async () => {
  clock = new FakeClock();
  store = new WatchedStore(clock);
  executor = new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 1 });
  running = new RunningAttempts({ executor, clock, abandonAfterMs: 10_000 });
  runner = new AttemptRunner({ store, clock, running, limits: attemptLimits, nodes, quota: uncounted });
  errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const record = await store.create(sampleDraft());
  const key = taskKeyOf(record.principal, record.taskId, record.endpoint);
  attempt = runner.begin(record, { key, account: 'anonymous', slot: executor.reserve(), entry: unentered, isRepeatable: false });
  outcome = deferred();
  void runner.follow(attempt, outcome.promise);
});

afterEach(() => errors.mockRestore());

const read = (): Promise<TaskRecord | undefined> => store.get(attempt.key);

/** Lets the next `times` writes fail. */
function failing(times: number): void {
  let left = times;
  store.before = {
    update: () => {
      if (left-- > 0) throw new Error('the store is down');
    },
  };
}

describe('settling an execution', () => {
  it('writes its outcome once, frees its slot and forgets it', async () => {
    outcome.resolve(done);
    await turns(2);
    expect(await read()).toMatchObject({ status: 'completed', version: 2 });
    expect([store.count('update'), executor.load().running, running.size]).toEqual([1, 0, 0]);
  });

  it('tries again while the store fails, after 100, 400 and 1600 ms, and then has written', async () => {
    // Pauses are shortened by chance.
    const chance = jest.spyOn(Math, 'random').mockReturnValue(0);
    failing(3);
    outcome.resolve(done);
    await turns(2);
    const tried: number[] = [store.count('update')];
    for (const wait of [99, 1, 399, 1, 1599, 1]) {
      await clock.advance(wait);
      tried.push(store.count('update'));
    }
    chance.mockRestore();
    expect(tried).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect(await read()).toMatchObject({ status: 'completed' });
    expect([errors.mock.calls.length, executor.load().running, running.size]).toEqual([3, 0, 0]);
  });

  it('frees its slot when the body has ended, however long the store takes', async () => {
    failing(1);
    outcome.resolve(done);
    await turns(2);
    expect([executor.load().running, running.size]).toEqual([0, 1]);
    await clock.advance(100);
    expect([executor.load().running, running.size]).toEqual([0, 0]);
  });

  it('goes on trying as long as the task lives, says so each time and never throws', async () => {
    failing(20);
    outcome.resolve(done);
    await clock.advance(60_000);
    expect([executor.load().running, running.size]).toEqual([0, 1]);
    expect(errors.mock.calls.length).toBeGreaterThanOrEqual(4);
    await clock.advance(600_000);
    expect(running.size).toBe(0);
    expect(await read()).toMatchObject({ status: 'completed' });
  });

  it('tries no more once the task can no longer be written', async () => {
    failing(Infinity);
    outcome.resolve(done);
    await clock.advance(1000);
    attempt.abort('expired');
    await turns(4);
    const { length } = errors.mock.calls;
    await clock.advance(600_000);
    expect([running.size, errors.mock.calls.length]).toEqual([0, length]);
  });

  it('fails the task when its outcome is what no store can hold', async () => {
    outcome.resolve({ ...done, result: { resultType: 'complete', content: [], structuredContent: { big: 1n } } } as never);
    await clock.advance(60_000);
    expect(await read()).toMatchObject({
      status: 'failed',
      statusMessage: expect.any(String),
      error: { code: -32603, message: 'The result could not be stored' },
    });
  });

  it('carries the last progress, in the same write', async () => {
    attempt.progress.report({ progress: 1 });
    attempt.progress.report({ progress: 2, total: 2 });
    outcome.resolve(done);
    await turns(2);
    expect(await read()).toMatchObject({ status: 'completed', statusMessage: '2/2', version: 3 });
  });

  it('changes nothing when the task is not its own any more', async () => {
    const ended = await store.update(attempt.key, (record) => cancelled(record));
    outcome.resolve(done);
    await turns(2);
    expect(await read()).toBe(ended);
  });

  it('of a JSON-RPC error fails the task with code, message and data', async () => {
    outcome.resolve({ kind: 'failed', error: new McpError(1050, 'no', { data: [1] }) });
    await turns(2);
    expect(await read()).toMatchObject({ status: 'failed', statusMessage: 'no', error: { code: 1050, message: 'no', data: [1] } });
  });
});

describe('an execution that the end of the node broke off', () => {
  it.each<[string, CallOutcome]>([
    ['an error', { kind: 'failed', error: new McpError(-32603, 'x') }],
    ['an isError result', { ...done, result: { resultType: 'complete', content: [], isError: true } } as CallOutcome],
  ])('by %s leaves the task working, for whoever takes it over', async (_how, ended) => {
    attempt.abort('shutdown');
    outcome.resolve(ended);
    await turns(2);
    expect(await read()).toMatchObject({ status: 'working', version: 2, run: { attempt: 1, released: 'unbegun' } });
  });

  it('that still had its result completes the task', async () => {
    attempt.abort('shutdown');
    outcome.resolve(done);
    await turns(2);
    expect(await read()).toMatchObject({ status: 'completed' });
  });
});
