import assert from 'node:assert/strict';
import { completed, withStatusMessage } from '@mocapi/tasks';
import { sampleDraft } from '../../fakes/sample-task.js';
import { change, given, keyOf, read, rejectsWith, SHORT_TTL_MS, type TaskStoreCase } from './task-store.fixture.js';

const bounds = { maxRecordBytes: 4096, maxStoredPerPrincipal: 2 };
const [eve, ann] = [{ id: 'eve' }, { id: 'ann' }];

/** Promises of a store about its limits. */
export const boundsCases: readonly TaskStoreCase[] = [
  {
    promise: 'create rejects one task more than a caller may have, says when to retry, stores nothing, and serves another caller',
    bounded: true,
    async check({ open }) {
      const store = await open({ allowUnlimitedTtl: false, bounds });
      await given(store, { principal: eve });
      await given(store, { principal: eve });
      const draft = sampleDraft({ principal: eve });
      const error = await rejectsWith('TaskQuotaError', () => store.create(draft));
      assert((error as { retryAfterMs: number }).retryAfterMs > 0, 'retryAfterMs should be a number above 0');
      assert.equal(await store.get(keyOf(draft)), undefined);
      await given(store, { principal: ann });
    },
  },
  {
    promise: 'a task that has ended counts for its caller until it is deleted or expires',
    bounded: true,
    async check({ open, clock }) {
      const store = await open({ allowUnlimitedTtl: false, bounds });
      const { key } = await given(store, { principal: eve });
      await given(store, { principal: eve, ttlMs: SHORT_TTL_MS });
      await change(store, key, (record) => completed(record, { resultType: 'complete', content: [] }));
      await rejectsWith('TaskQuotaError', () => store.create(sampleDraft({ principal: eve })));
      await store.delete(key);
      await given(store, { principal: eve });
      await clock.advance(SHORT_TTL_MS + 10);
      await given(store, { principal: eve });
    },
  },
  {
    promise: 'anonymous callers count by where they came from',
    bounded: true,
    async check({ open }) {
      const store = await open({ allowUnlimitedTtl: false, bounds });
      for (const origin of ['here', 'here']) await store.create(anonymous(origin));
      await rejectsWith('TaskQuotaError', () => store.create(anonymous('here')));
      await store.create(anonymous('there'));
    },
  },
  {
    promise: 'a record that is too large is rejected at creation and at a change, and nothing is written',
    bounded: true,
    async check({ open }) {
      const store = await open({ allowUnlimitedTtl: false, bounds });
      const text = 'x'.repeat(bounds.maxRecordBytes);
      await rejectsWith('TaskRecordTooLargeError', () => store.create(sampleDraft({ arguments: { text } })));
      const { key, record } = await given(store);
      await rejectsWith('TaskRecordTooLargeError', () => store.update(key, (current) => withStatusMessage(current, text)));
      assert.deepEqual(await read(store, key), record);
    },
  },
];

function anonymous(origin: string): ReturnType<typeof sampleDraft> {
  const { principal: _principal, ...draft } = sampleDraft();
  return { ...draft, origin };
}
