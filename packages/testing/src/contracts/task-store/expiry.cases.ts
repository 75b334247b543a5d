import assert from 'node:assert/strict';
import { type TaskRecord, withStatusMessage } from '@mocapi/tasks';
import { change, given, read, SHORT_TTL_MS, type TaskStoreCase } from './task-store.fixture.js';

const A_CENTURY_MS = 100 * 365 * 86_400_000;

/** Promises about the end of a task's life. */
export const expiryCases: readonly TaskStoreCase[] = [
  {
    promise: 'at its very deadline a task can still be read and changed',
    exactTime: true,
    async check({ store, clock }) {
      const { key } = await given(store, { ttlMs: 1000 });
      await clock.advance(1000);
      await read(store, key);
      assert.equal((await change(store, key, (record) => withStatusMessage(record, 'just in time'))).version, 2);
      assert.equal((await read(store, key)).statusMessage, 'just in time');
    },
  },
  {
    promise: 'one millisecond after its deadline a task is gone',
    exactTime: true,
    async check({ store, peer, clock }) {
      const { key } = await given(store, { ttlMs: 1000 });
      await clock.advance(1001);
      assert.equal(await store.get(key), undefined);
      assert.equal(await peer.get(key), undefined);
    },
  },
  {
    promise: 'an expired task cannot be read',
    async check({ store, clock }) {
      const { key } = await given(store, { ttlMs: SHORT_TTL_MS });
      await read(store, key);
      await clock.advance(SHORT_TTL_MS + 5);
      assert.equal(await store.get(key), undefined);
    },
  },
  {
    promise: 'an expired task cannot be changed: update resolves to undefined and runs no mutation',
    async check({ store, clock }) {
      const { key } = await given(store, { ttlMs: SHORT_TTL_MS });
      await clock.advance(SHORT_TTL_MS + 5);
      let runs = 0;
      const revive = (record: TaskRecord): TaskRecord => ((runs += 1), { ...record, ttlMs: 1e9 });
      assert.equal(await store.update(key, revive), undefined);
      assert.equal(runs, 0);
      assert.equal(await store.get(key), undefined);
    },
  },
  {
    promise: 'a change does not prolong the life of a task',
    async check({ store, clock }) {
      const { key } = await given(store, { ttlMs: SHORT_TTL_MS });
      await clock.advance(SHORT_TTL_MS / 2);
      await change(store, key, (record) => withStatusMessage(record, 'half way'));
      await clock.advance(SHORT_TTL_MS / 2 + 5);
      assert.equal(await store.get(key), undefined);
    },
  },
  {
    promise: 'a mutation may prolong the life of a task, from its creation',
    exactTime: true,
    async check({ store, clock }) {
      const { key } = await given(store, { ttlMs: 1000 });
      await clock.advance(600);
      await change(store, key, (record) => ({ ...record, ttlMs: 2000 }));
      await clock.advance(1400);
      assert.equal((await read(store, key)).ttlMs, 2000);
      await clock.advance(1);
      assert.equal(await store.get(key), undefined);
    },
  },
  {
    promise: 'a mutation that moves the deadline into the past resolves to undefined, and the task is gone',
    async check({ store, clock }) {
      const { key } = await given(store);
      await clock.advance(20);
      assert.equal(await store.update(key, (record) => ({ ...record, ttlMs: 1 })), undefined);
      assert.equal(await store.get(key), undefined);
    },
  },
  {
    promise: 'a task without a ttl, where allowed, does not expire',
    exactTime: true,
    async check({ open, clock }) {
      const store = await open({ allowUnlimitedTtl: true });
      const { key } = await given(store, { ttlMs: null });
      await clock.advance(A_CENTURY_MS);
      assert.equal((await change(store, key, (record) => withStatusMessage(record, 'still here'))).version, 2);
    },
  },
];
