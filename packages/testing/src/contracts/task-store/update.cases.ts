import assert from 'node:assert/strict';
import { newTaskId, type TaskRecord, taskKeyOf, withStatusMessage } from '@mocapi/tasks';
import { change, given, leavesUntouched, read, rejectsWith, type TaskStoreCase } from './task-store.fixture.js';

/** A mutation that breaks its contract, as only untyped code can write it. */
const broken = (mutate: (record: TaskRecord) => unknown) => mutate as (record: TaskRecord) => TaskRecord;

/** Promises of `update` to one writer. */
export const updateCases: readonly TaskStoreCase[] = [
  {
    promise: 'update resolves to the record as it then is stored, on any node',
    async check({ store, peer }) {
      const { key } = await given(store);
      const record = await change(store, key, (current) => withStatusMessage(current, 'half way'));
      assert.equal(record.statusMessage, 'half way');
      assert.deepEqual(await read(peer, key), record);
    },
  },
  {
    promise: 'update of an unknown key resolves to undefined and runs no mutation',
    async check({ store }) {
      let runs = 0;
      const count = (record: TaskRecord) => ((runs += 1), record);
      assert.equal(await store.update(taskKeyOf(undefined, newTaskId()), count), undefined);
      assert.equal(runs, 0);
    },
  },
  {
    promise: 'each committed change adds exactly 1 to the version',
    async check({ store }) {
      const { key } = await given(store);
      const versions: number[] = [];
      for (const text of ['a', 'b', 'c']) versions.push((await change(store, key, (record) => withStatusMessage(record, text))).version);
      assert.deepEqual(versions, [2, 3, 4]);
    },
  },
  {
    promise: "each committed change sets lastUpdatedAt to the store's clock and leaves createdAt",
    exactTime: true,
    async check({ store, clock }) {
      const { key, record } = await given(store);
      await clock.advance(777);
      const next = await change(store, key, (current) => withStatusMessage(current, 'later'));
      assert.deepEqual([next.createdAt, next.lastUpdatedAt], [record.createdAt, record.createdAt + 777]);
    },
  },
  {
    promise: 'times and version that a mutation sets are ignored',
    async check({ store }) {
      const { key, record } = await given(store);
      const claims = { createdAt: 1, lastUpdatedAt: 2, version: 99 };
      const next = await change(store, key, (current) => ({ ...current, ...claims, statusMessage: 'x' }));
      assert.deepEqual([next.createdAt, next.version], [record.createdAt, 2]);
      assert(next.lastUpdatedAt >= record.createdAt);
      assert.deepEqual(await read(store, key), next);
    },
  },
  {
    promise: 'returning the same object writes nothing, changes neither time nor version, and resolves to the record',
    async check(fixture) {
      const { key } = await given(fixture.store);
      await leavesUntouched(fixture, key, async () => {
        const returned = await change(fixture.store, key, (record) => record);
        assert.deepEqual(returned, await read(fixture.store, key));
      });
    },
  },
  {
    promise: 'a member that the mutation leaves out is removed',
    async check({ store }) {
      const { key } = await given(store, { statusMessage: 'old' });
      const next = await change(store, key, ({ run: _run, statusMessage: _text, ...rest }) => rest);
      assert.deepEqual([Object.hasOwn(next, 'run'), Object.hasOwn(next, 'statusMessage')], [false, false]);
      assert.deepEqual(await read(store, key), next);
    },
  },
  {
    promise: 'a member that this release does not know survives a change',
    async check({ store }) {
      const { key } = await given(store, { ofALaterRelease: { a: [1] } } as object);
      const next = await change(store, key, (record) => withStatusMessage(record, 'x'));
      assert.deepEqual((next as { ofALaterRelease?: unknown }).ofALaterRelease, { a: [1] });
    },
  },
  {
    promise: 'a mutation that throws makes update reject with that error, and writes nothing',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const failure = new Error('from the mutation');
      await leavesUntouched(fixture, key, async () => {
        const throwing = fixture.store.update(key, () => {
          throw failure;
        });
        await assert.rejects(throwing, (error) => error === failure);
      });
    },
  },
  {
    promise: 'a mutation that returns nothing makes update reject and writes nothing',
    async check(fixture) {
      const { key } = await given(fixture.store);
      for (const nothing of [undefined, null]) {
        const update = () =>
          fixture.store.update(
            key,
            broken(() => nothing),
          );
        await leavesUntouched(fixture, key, () => rejectsWith('InvalidMutationError', update));
      }
    },
  },
  {
    promise: 'a mutation that returns a promise makes update reject and writes nothing',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const update = () =>
        fixture.store.update(
          key,
          broken(async (record) => withStatusMessage(record, 'too late')),
        );
      await leavesUntouched(fixture, key, () => rejectsWith('InvalidMutationError', update));
    },
  },
  {
    promise: 'a mutation can change neither the task id nor the principal nor the endpoint',
    async check(fixture) {
      const { key } = await given(fixture.store);
      for (const other of [
        { taskId: newTaskId() },
        { principal: { id: 'mallory' } },
        { principal: undefined as never },
        { endpoint: 'other' },
      ]) {
        const update = () => fixture.store.update(key, (record) => ({ ...record, ...other }));
        await leavesUntouched(fixture, key, () => rejectsWith('InvalidMutationError', update));
      }
    },
  },
  {
    promise: 'a mutation that sets an invalid ttlMs makes update reject and writes nothing',
    async check(fixture) {
      const { key } = await given(fixture.store);
      for (const ttlMs of [0, -1, 0.5, Number.NaN, null]) {
        const update = () => fixture.store.update(key, (record) => ({ ...record, ttlMs }));
        await leavesUntouched(fixture, key, () => rejectsWith('InvalidTaskTtlError', update));
      }
    },
  },
];
