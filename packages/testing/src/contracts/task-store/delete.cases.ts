import assert from 'node:assert/strict';
import { newTaskId, taskKeyOf, withStatusMessage } from '@mocapi/tasks';
import { given, read, SHORT_TTL_MS, type TaskStoreCase } from './task-store.fixture.js';

/** Promises of `get` and `delete` about missing tasks. */
export const deleteCases: readonly TaskStoreCase[] = [
  {
    promise: 'get of an unknown key resolves to undefined',
    async check({ store }) {
      assert.equal(await store.get(taskKeyOf({ id: 'alice' }, newTaskId())), undefined);
    },
  },
  {
    promise: 'a deleted task can be neither read nor changed, on any node',
    async check({ store, peer }) {
      const { key } = await given(store);
      await store.delete(key);
      for (const handle of [store, peer]) {
        assert.equal(await handle.get(key), undefined);
        assert.equal(await handle.update(key, (record) => withStatusMessage(record, 'x')), undefined);
      }
    },
  },
  {
    promise: 'delete is idempotent: a repeated delete, and one of an unknown key or an expired task, is harmless',
    async check({ store, clock }) {
      const { key } = await given(store);
      const { key: expired } = await given(store, { ttlMs: SHORT_TTL_MS });
      await clock.advance(SHORT_TTL_MS + 5);
      for (const each of [key, key, taskKeyOf(undefined, newTaskId()), expired, expired]) await store.delete(each);
      assert.equal(await store.get(key), undefined);
    },
  },
  {
    promise: 'delete leaves every other task',
    async check({ store }) {
      const { key } = await given(store);
      const { key: other, record } = await given(store);
      await store.delete(key);
      assert.deepEqual(await read(store, other), record);
    },
  },
];
