import { ExecutionOverError } from '@mocapi/core';
import type { LedgerEntry } from '@mocapi/core/extension';
import { cancelled, withStatusMessage } from '@mocapi/tasks';
import { turns } from '../e2e/support/flow.js';
import { attemptFixture } from './attempts.js';

const step: LedgerEntry = { key: 'charge', kind: 'step', fingerprint: '', answered: true, response: 1 };

describe('an attempt that waits for its slot', () => {
  it('is ready when the slot is', async () => {
    const { attempt, slotReady } = await attemptFixture();
    const order: string[] = [];
    void attempt.ready().then(() => order.push('ready'));
    await turns(2);
    expect(order).toEqual([]);
    slotReady.resolve();
    await turns(1);
    expect(order).toEqual(['ready']);
  });

  it('waits no longer once it is told to stop, before or after it began to wait', async () => {
    const { attempt } = await attemptFixture();
    const before = attempt.ready();
    attempt.abort('cancelled');
    await before;
    await attempt.ready();
    expect(attempt.signal.reason).toBe('cancelled');
  });

  it('keeps its first reason', async () => {
    const { attempt } = await attemptFixture();
    attempt.abort('cancelled');
    attempt.abort('shutdown');
    expect(attempt.signal.reason).toBe('cancelled');
  });
});

describe('what an attempt writes', () => {
  it('changes the task while it is its own', async () => {
    const { attempt } = await attemptFixture();
    expect(await attempt.write((record) => withStatusMessage(record, 'x'))).toMatchObject({ statusMessage: 'x', version: 2 });
    await attempt.recorder.record(step);
    expect((await attempt.write((record) => record))?.ledger).toEqual([step]);
  });

  it('changes nothing once the task is not, and a step is refused', async () => {
    const { attempt, store } = await attemptFixture();
    const ended = await store.update(attempt.key, (record) => cancelled(record));
    expect(await attempt.write((record) => withStatusMessage(record, 'late'))).toBe(ended);
    await expect(attempt.recorder.record(step)).rejects.toThrow(ExecutionOverError);
    expect(await store.get(attempt.key)).toBe(ended);
  });

  it('is refused as over when the task is gone', async () => {
    const { attempt, store } = await attemptFixture();
    await store.delete(attempt.key);
    await expect(attempt.recorder.record(step)).rejects.toThrow(ExecutionOverError);
    expect(store.size).toBe(0);
  });
});
