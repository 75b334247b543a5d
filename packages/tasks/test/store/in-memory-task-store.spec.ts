import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import {
  InMemoryTaskStore,
  SystemClock,
  type TaskKey,
  taskKeyOf,
  type TaskRecord,
  TaskStoreFullError,
  withStatusMessage,
} from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';

const MINUTE = 60_000;

async function fill(store: InMemoryTaskStore, ttls: readonly (number | null)[]): Promise<TaskKey[]> {
  const records = await Promise.all(ttls.map((ttlMs) => store.create(sampleDraft({ ttlMs }))));
  return records.map(({ principal, taskId }) => taskKeyOf(principal, taskId));
}

describe('timers', () => {
  it('however many tasks there are, the store has one timer', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    const keys = await fill(
      store,
      Array.from({ length: 500 }, (_, index) => MINUTE - index),
    );
    await Promise.all(keys.map((key) => store.update(key, (record) => withStatusMessage(record, 'x'))));
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(MINUTE - 250);
    expect(clock.pendingTimers).toBe(1);
  });

  it('once the last task is gone, expired or deleted, the store has none', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    const [key] = await fill(store, [MINUTE, MINUTE / 2]);
    await clock.advance(MINUTE);
    expect(store.size).toBe(1);
    await store.delete(key!);
    expect([store.size, clock.pendingTimers]).toEqual([0, 0]);
    await fill(store, [MINUTE]);
    await clock.advance(2 * MINUTE);
    expect([store.size, clock.pendingTimers]).toEqual([0, 0]);
  });

  it('once closed, the store has no timer and sets none, and still serves', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    await fill(store, [MINUTE]);
    store.close();
    const [key] = await fill(store, [MINUTE]);
    expect(clock.pendingTimers).toBe(0);
    expect((await store.get(key!))?.version).toBe(1);
  });

  it('a later deadline does not touch the timer', async () => {
    const clock = new FakeClock();
    const setTimer = jest.spyOn(clock, 'setTimer');
    const store = new InMemoryTaskStore(clock);
    await fill(store, [MINUTE, 2 * MINUTE, MINUTE, 3 * MINUTE]);
    expect(setTimer).toHaveBeenCalledTimes(1);
    await fill(store, [MINUTE / 2]);
    expect(setTimer).toHaveBeenCalledTimes(2);
  });

  it('ends with the application', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    await fill(store, [MINUTE]);
    store.onApplicationShutdown();
    expect(clock.pendingTimers).toBe(0);
  });

  it('a task without end costs no timer', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock, { allowUnlimitedTtl: true });
    await fill(store, [null, null]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('sweeping', () => {
  it('removes what expired without being asked for it, and only that', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    const keys = await fill(store, [5000, 10 * MINUTE, 7000]);
    await clock.advance(8100);
    expect(store.size).toBe(1);
    expect(await store.get(keys[1]!)).toBeDefined();
  });

  it('goes by the deadline that a task now has', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    const [longer, shorter] = (await fill(store, [5000, 5 * MINUTE])) as [TaskKey, TaskKey];
    await store.update(longer, (record) => ({ ...record, ttlMs: 5 * MINUTE }));
    await store.update(shorter, (record) => ({ ...record, ttlMs: 5000 }));
    await clock.advance(6100);
    expect(store.size).toBe(1);
    expect(await store.get(longer)).toBeDefined();
  });

  it('takes a great crowd in several turns', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    await fill(
      store,
      Array.from({ length: 6000 }, () => 2000),
    );
    await clock.advance(2001);
    expect(store.size).toBe(1000);
    // Soon: tasks that come faster than one batch a second must not pile up.
    await clock.advance(10);
    expect(store.size).toBe(0);
  });

  it('passes over a malformed entry and goes on with the others', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    const [bad] = await fill(store, [2000, 3000, 4000]);
    (store as unknown as { records: Map<TaskKey, unknown> }).records.set(bad!, null);
    await clock.advance(10_000);
    expect(store.size).toBe(0);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('malformed'));
    warn.mockRestore();
  });

  it('does not hoard the deadlines of deleted tasks', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    await fill(store, [MINUTE]);
    for (let round = 0; round < 5000; round++) {
      const [key] = await fill(store, [MINUTE]);
      await store.delete(key!);
    }
    const { heap } = (store as unknown as { sweeper: { heap: { size: number } } }).sweeper;
    expect(heap.size).toBeLessThan(1100);
    await clock.advance(2 * MINUTE);
    expect([store.size, heap.size, clock.pendingTimers]).toEqual([0, 0, 0]);
  });
});

describe('capacity', () => {
  it('a full store refuses another task, says when to come back, and stores nothing', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock, { maxRecords: 2, maxStoredPerPrincipal: 10 });
    await fill(store, [10_000, 20_000]);
    await clock.advance(4000);
    const refused = store.create(sampleDraft());
    await expect(refused).rejects.toThrow(TaskStoreFullError);
    await expect(refused).rejects.toMatchObject({ code: -32603, retryAfterMs: 6001, data: { retryAfterMs: 6001 } });
    expect(store.size).toBe(2);
  });

  it('asks to come back within a minute, whatever the deadlines', async () => {
    const store = new InMemoryTaskStore(new FakeClock(), { maxRecords: 1, maxStoredPerPrincipal: 10, allowUnlimitedTtl: true });
    await fill(store, [null]);
    await expect(store.create(sampleDraft())).rejects.toMatchObject({ retryAfterMs: 60_000 });
  });

  it('makes room of what expired before it refuses', async () => {
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock, { maxRecords: 2, maxStoredPerPrincipal: 10, sweepIntervalMs: 10 * MINUTE });
    await fill(store, [1000, MINUTE]);
    await clock.advance(1001);
    expect(store.size).toBe(2);
    await fill(store, [MINUTE]);
    expect(store.size).toBe(2);
    await expect(store.create(sampleDraft())).rejects.toThrow(TaskStoreFullError);
  });

  it('can be changed while full', async () => {
    const store = new InMemoryTaskStore(new FakeClock(), { maxRecords: 1, maxStoredPerPrincipal: 10 });
    const [key] = await fill(store, [MINUTE]);
    expect((await store.update(key!, (record) => withStatusMessage(record, 'x')))?.version).toBe(2);
  });
});

describe('records', () => {
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

  it('are handed out frozen, and the same until they change', async () => {
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const first = await store.get(key);
    expect(isFrozen(first)).toBe(true);
    expect(await store.get(key)).toBe(first);
    const second = (await store.update(key, (record) => ({ ...record, result: { resultType: 'complete', content: [] } }))) as TaskRecord;
    expect(isFrozen(second)).toBe(true);
    expect(second).not.toBe(first);
  });

  it('a change copies only what changed', async () => {
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const before = (await store.get(key))!;
    const after = (await store.update(key, (record) => withStatusMessage(record, 'x')))!;
    expect(after.arguments).toBe(before.arguments);
    expect(after.ledger).toBe(before.ledger);
  });
});

describe('mutations', () => {
  it('the rejection of a promise that a mutation returns goes unheard instead of ending the process', async () => {
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const late = Promise.reject(new Error('late'));
    const heard = jest.spyOn(late, 'catch');
    await expect(store.update(key, () => late as never)).rejects.toThrow('must be synchronous');
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('the change feed', () => {
  it('a listener that throws disturbs neither the write nor the other listeners', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const heard: number[] = [];
    store.changeFeed.watch(key, () => {
      throw new Error('listener');
    });
    store.changeFeed.watch(key, (version) => heard.push(version));
    expect((await store.update(key, (record) => withStatusMessage(record, 'x')))?.version).toBe(2);
    await Promise.resolve();
    expect(heard).toEqual([2]);
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });

  it('speaks after the write, never from inside it', async () => {
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const heard: number[] = [];
    store.changeFeed.watch(key, (version) => heard.push(version));
    const update = store.update(key, (record) => withStatusMessage(record, 'x'));
    expect(heard).toEqual([]);
    await update;
    expect(heard).toEqual([2]);
  });

  it('ending a watch a second time, late, does not end another', async () => {
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const stop = store.changeFeed.watch(key, () => undefined);
    stop();
    const heard: number[] = [];
    store.changeFeed.watch(key, (version) => heard.push(version));
    stop();
    await store.update(key, (record) => withStatusMessage(record, 'x'));
    await Promise.resolve();
    expect(heard).toEqual([2]);
  });

  it('keeps nothing of a watch that ended', async () => {
    const store = new InMemoryTaskStore(new FakeClock());
    const [key] = (await fill(store, [MINUTE])) as [TaskKey];
    const stops = [1, 2, 3].map(() => store.changeFeed.watch(key, () => undefined));
    for (const stop of [...stops, ...stops]) stop();
    expect((store.changeFeed as unknown as { watches: Map<unknown, unknown> }).watches.size).toBe(0);
  });
});

describe('SystemClock', () => {
  it('fires, stops, and does not take a wait that is too long for none', async () => {
    const clock = new SystemClock();
    const fired: string[] = [];
    clock.setTimer(() => fired.push('too long'), 1e12)();
    const stop = clock.setTimer(() => fired.push('very long'), 1e12);
    clock.setTimer(() => fired.push('stopped'), 1)();
    await new Promise<void>((resolve) => {
      clock.setTimer(resolve, 5);
    });
    stop();
    expect(fired).toEqual([]);
    expect(Number.isInteger(clock.now())).toBe(true);
  });

  it('does not keep the process alive', () => {
    const alive = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = alive();
    const stop = new SystemClock().setTimer(() => undefined, 1000);
    expect(alive()).toBe(before);
    stop();
  });
});
