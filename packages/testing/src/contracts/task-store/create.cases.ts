import assert from 'node:assert/strict';
import { newTaskId, taskKeyOf } from '@mocapi/tasks';
import { sampleDraft } from '../../fakes/sample-task.js';
import { change, given, keyOf, leavesUntouched, read, rejectsWith, SHORT_TTL_MS, type TaskStoreCase } from './task-store.fixture.js';

/** Promises of `create`. */
export const createCases: readonly TaskStoreCase[] = [
  {
    promise: 'create resolves to the draft with times and version, and get to the same',
    async check({ store }) {
      const draft = sampleDraft();
      const record = await store.create(draft);
      const { createdAt, lastUpdatedAt, version, ...rest } = record;
      assert.deepEqual(rest, draft);
      assert.deepEqual([typeof createdAt, typeof lastUpdatedAt, typeof version], ['number', 'number', 'number']);
      assert.deepEqual(await store.get(keyOf(draft)), record);
    },
  },
  {
    promise: 'a task of an endpoint is kept under the key of that endpoint, and under no other',
    async check({ store }) {
      const { key, record } = await given(store, { endpoint: 'admin' });
      assert.deepEqual(await read(store, key), record);
      assert.equal(await store.get(taskKeyOf(record.principal, record.taskId)), undefined);
      assert.equal(await store.get(taskKeyOf(record.principal, record.taskId, 'another')), undefined);
    },
  },
  {
    promise: 'once create resolves, the task is found on any node',
    async check({ store, peer }) {
      const { key, record } = await given(store);
      assert.deepEqual(await read(peer, key), record);
    },
  },
  {
    promise: "create sets both times to the store's clock",
    exactTime: true,
    async check({ store, clock }) {
      await clock.advance(1234);
      const { record } = await given(store);
      assert.deepEqual([record.createdAt, record.lastUpdatedAt], [clock.now(), clock.now()]);
    },
  },
  {
    promise: 'create sets version 1, and ignores times and version that a draft brings along',
    async check({ store }) {
      const draft = { ...sampleDraft(), createdAt: 1, lastUpdatedAt: 2, version: 3 };
      const record = await store.create(draft);
      assert.equal(record.version, 1);
      assert.equal(record.lastUpdatedAt, record.createdAt);
      assert(record.createdAt > 3);
    },
  },
  {
    promise: 'create on a live key rejects with TaskAlreadyExistsError and leaves the task untouched',
    async check(fixture) {
      const { key, record } = await given(fixture.store);
      const second = sampleDraft({ taskId: record.taskId, toolName: 'another' });
      await leavesUntouched(fixture, key, () => rejectsWith('TaskAlreadyExistsError', () => fixture.store.create(second)));
      await leavesUntouched(fixture, key, () => rejectsWith('TaskAlreadyExistsError', () => fixture.peer.create(second)));
    },
  },
  {
    promise: 'of many creates of one key at once exactly one succeeds, and its record is the one stored',
    async check({ store, peer }) {
      const taskId = newTaskId();
      const drafts = Array.from({ length: 16 }, (_, index) => sampleDraft({ taskId, toolName: `tool-${index}` }));
      const outcomes = await Promise.allSettled(drafts.map((draft, index) => (index % 2 === 0 ? store : peer).create(draft)));
      const created = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
      assert.equal(created.length, 1);
      assert.deepEqual(await store.get(keyOf(drafts[0]!)), created[0]);
    },
  },
  {
    promise: 'create on an expired key succeeds, and nothing of the old task is left',
    async check({ store, clock }) {
      const { key, record } = await given(store, { ttlMs: SHORT_TTL_MS, statusMessage: 'old' });
      await change(store, key, (current) => ({ ...current, statusMessage: 'older' }));
      await clock.advance(SHORT_TTL_MS + 5);
      const draft = sampleDraft({ taskId: record.taskId });
      const next = await store.create(draft);
      assert.equal(next.version, 1);
      assert.equal(next.statusMessage, undefined);
      assert(next.createdAt > record.createdAt);
      assert.deepEqual(await read(store, key), next);
    },
  },
  {
    promise: 'create on a deleted key succeeds',
    async check({ store }) {
      const { key, record } = await given(store);
      await store.delete(key);
      await store.create(sampleDraft({ taskId: record.taskId, toolName: 'second' }));
      assert.equal((await read(store, key)).toolName, 'second');
    },
  },
  {
    promise: 'create rejects a ttlMs that is not a whole number of at least 1, and stores nothing',
    async check({ store }) {
      for (const ttlMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const draft = sampleDraft({ ttlMs });
        await rejectsWith('InvalidTaskTtlError', () => store.create(draft));
        assert.equal(await store.get(keyOf(draft)), undefined);
      }
    },
  },
  {
    promise: 'create rejects ttlMs null unless unlimited tasks are allowed',
    async check({ store, open }) {
      const draft = sampleDraft({ ttlMs: null });
      await rejectsWith('InvalidTaskTtlError', () => store.create(draft));
      assert.equal(await store.get(keyOf(draft)), undefined);
      const lenient = await open({ allowUnlimitedTtl: true });
      const { key } = await given(lenient, { ttlMs: null });
      assert.equal((await read(lenient, key)).ttlMs, null);
    },
  },
];
