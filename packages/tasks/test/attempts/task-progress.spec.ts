import { FakeClock } from '@mocapi/testing';
import type { ProgressUpdate } from '@mocapi/core/extension';
import { PROGRESS_INTERVAL_MS, progressText, TaskProgress } from '../../src/attempts/task-progress.js';

describe('progressText', () => {
  it.each<[string, ProgressUpdate]>([
    ['3/10: note', { progress: 3, total: 10, message: 'note' }],
    ['3: note', { progress: 3, message: 'note' }],
    ['3/10', { progress: 3, total: 10 }],
    ['3', { progress: 3 }],
    ['3', { progress: 3, message: '' }],
    ['0/0', { progress: 0, total: 0 }],
  ])('%s', (text, update) => {
    expect(progressText(update)).toBe(text);
  });
});

describe('TaskProgress', () => {
  let clock: FakeClock;
  let written: string[];
  let progress: TaskProgress;

  beforeEach(() => {
    clock = new FakeClock();
    written = [];
    progress = new TaskProgress(clock, { maxBytes: 20, write: async (text) => void written.push(text) });
  });

  const report = (...values: number[]): void => {
    for (const value of values) progress.report({ progress: value });
  };

  it('writes the first value at once', () => {
    report(1);
    expect([written, clock.pendingTimers]).toEqual([['1'], 0]);
  });

  it('writes of many values in an interval the latest, at its end, by one timer', async () => {
    report(1, 2, 3, 4);
    expect([written, clock.pendingTimers]).toEqual([['1'], 1]);
    await clock.advance(PROGRESS_INTERVAL_MS - 1);
    expect(written).toEqual(['1']);
    report(5);
    await clock.advance(1);
    expect([written, clock.pendingTimers]).toEqual([['1', '5'], 0]);
  });

  it('writes at most once in any 250 ms, whenever values come', async () => {
    const times: number[] = [];
    progress = new TaskProgress(clock, { maxBytes: 20, write: async () => void times.push(clock.now()) });
    for (let value = 1; value <= 500; value++) {
      report(value);
      await clock.advance(7);
    }
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(PROGRESS_INTERVAL_MS);
    expect(times.length).toBeGreaterThan(12);
  });

  it('does not go back behind what a former attempt reported on the same scale', async () => {
    progress = new TaskProgress(clock, { maxBytes: 20, reported: '3/8: half', write: async (text) => void written.push(text) });
    for (const value of [1, 2]) progress.report({ progress: value, total: 8 });
    expect([written, progress.close()]).toEqual([[], undefined]);
    progress.report({ progress: 4, total: 8 });
    expect(written).toEqual(['4/8']);
  });

  it('cuts a text that is longer than it may be, at a whole character', () => {
    progress.report({ progress: 1, message: 'äöüß'.repeat(10) });
    expect([written, Buffer.byteLength(written[0]!)]).toEqual([['1: äöüßäöü…'], 20]);
  });

  it('writes nothing, and leaves no timer, once it was stopped', async () => {
    report(1);
    report(2);
    progress.stop();
    report(3);
    report(4);
    await clock.advance(PROGRESS_INTERVAL_MS);
    expect([written, clock.pendingTimers]).toEqual([['1'], 0]);
  });

  it('writes at once again after a quiet interval', async () => {
    report(1);
    await clock.advance(PROGRESS_INTERVAL_MS);
    report(2);
    expect(written).toEqual(['1', '2']);
  });

  it('gives back at its end what was not written, and writes nothing more', async () => {
    report(1, 2);
    expect(progress.close()).toBe('2');
    expect(progress.close()).toBeUndefined();
    await clock.advance(10 * PROGRESS_INTERVAL_MS);
    expect([written, clock.pendingTimers]).toEqual([['1'], 0]);
  });

  it('gives back nothing when everything was written', () => {
    report(1);
    expect(progress.close()).toBeUndefined();
  });

  it('survives a write that fails', async () => {
    progress = new TaskProgress(clock, { maxBytes: 20, write: () => Promise.reject(new Error('down')) });
    report(1);
    await clock.advance(PROGRESS_INTERVAL_MS);
    report(2, 3);
    expect(progress.close()).toBe('3');
  });
});
