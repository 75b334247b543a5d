import assert from 'node:assert/strict';
import {
  applyAnswers,
  cancelled,
  completed,
  inputRequired,
  newTaskId,
  type TaskRecord,
  type TaskView,
  takenOver,
  taskKeyOf,
  withLedgerEntry,
  withStatusMessage,
} from '@mocapi/tasks';
import { QUESTION, questionSlot, RESULT } from './task-store.samples.js';
import { change, given, leavesUntouched, read, rejectsWith, SHORT_TTL_MS, type TaskStoreCase } from './task-store.fixture.js';

type Entry = TaskRecord['ledger'][number];

const step = (key: string, response: Entry['response'] = `result of ${key}`): Entry => ({
  key,
  kind: 'step',
  fingerprint: '',
  answered: true,
  response,
});

const keysOf = ({ ledger }: TaskRecord): readonly string[] => ledger.map(({ key }) => key);

/** All of it but the ledger, which a store may leave in a view. */
function withoutLedger(task: TaskView): object {
  const { ledger: _ledger, ...rest } = task as TaskRecord;
  return rest;
}

/** Promises of `view` and `recordEntry`, and of `update` about a ledger. */
export const ledgerCases: readonly TaskStoreCase[] = [
  {
    promise: 'a view is the task without its ledger, on any node, as it is after each change',
    async check({ store, peer }) {
      const { key, record } = await given(store, { arguments: { text: 'x'.repeat(20_000), more: ['é – 🎬'] } });
      const changes: readonly (() => Promise<unknown>)[] = [
        () => store.recordEntry(key, record.run!, step('a', 'é'.repeat(20_000))),
        () => peer.update(key, (current) => withStatusMessage(current, 'half way – 🎬')),
        () => store.update(key, (current) => inputRequired(current, { name: QUESTION }, [...current.ledger, questionSlot('name')])),
        () => peer.update(key, (current) => cancelled(current)),
      ];
      for (const next of changes) {
        await next();
        const whole = await read(store, key);
        for (const handle of [store, peer]) assert.deepEqual(withoutLedger((await handle.view(key))!), withoutLedger(whole));
      }
    },
  },
  {
    promise: 'there is no view of what is unknown, deleted or expired',
    async check({ store, clock }) {
      const [deleted, expired] = [await given(store), await given(store, { ttlMs: SHORT_TTL_MS })];
      await store.delete(deleted.key);
      await clock.advance(SHORT_TTL_MS + 5);
      for (const key of [deleted.key, expired.key, taskKeyOf(undefined, newTaskId())]) assert.equal(await store.view(key), undefined);
    },
  },
  {
    promise: 'what a caller does to a view it got does not reach the store',
    async check({ store }) {
      const { key, record } = await given(store, { arguments: { list: ['a'] } });
      const view = (await store.view(key))!;
      try {
        (view.arguments['list'] as unknown[]).push('scribbled');
      } catch {
        // It is frozen, which protects the store as well as a copy does.
      }
      assert.deepEqual(await read(store, key), record);
    },
  },
  {
    promise: 'recordEntry adds an entry behind the others, moves time and version, and leaves all else',
    async check({ store, peer, clock }) {
      const { key, record } = await given(store);
      for (const name of ['a', 'b']) {
        await clock.advance(5);
        assert.equal(await store.recordEntry(key, record.run!, step(name)), true);
      }
      const after = await read(peer, key);
      assert.deepEqual(after, { ...record, ledger: [step('a'), step('b')], version: 3, lastUpdatedAt: after.lastUpdatedAt });
      assert(after.lastUpdatedAt > record.lastUpdatedAt);
    },
  },
  {
    promise: 'recordEntry is seen by the next change, whichever node makes it, and sees the one before',
    async check({ store, peer }) {
      const { key, record } = await given(store);
      const seen: (readonly string[])[] = [];
      for (const [index, handle] of [store, peer, store, store, peer].entries()) {
        await change(handle, key, (current) => {
          seen[index] = keysOf(current);
          return withStatusMessage(current, `change ${index}`);
        });
        assert.equal(await store.recordEntry(key, record.run!, step(`step ${index}`)), true);
      }
      assert.deepEqual(
        seen.map((keys) => keys.length),
        [0, 1, 2, 3, 4],
      );
      const after = await read(peer, key);
      assert.deepEqual([keysOf(after).length, after.statusMessage, after.version], [5, 'change 4', 11]);
    },
  },
  {
    promise: 'recordEntry writes nothing for a run that was taken over, and says so',
    async check(fixture) {
      const { store, peer } = fixture;
      const { key, record } = await given(store);
      const zombie = record.run!;
      await store.recordEntry(key, zombie, step('a'));
      const next = await change(peer, key, (current) => takenOver(current, zombie, { owner: 'node-2', id: 'run-2' }));
      await leavesUntouched(fixture, key, async () => assert.equal(await store.recordEntry(key, zombie, step('b')), false));
      const sameId = { ...next.run!, fence: zombie.fence };
      await leavesUntouched(fixture, key, async () => assert.equal(await store.recordEntry(key, sameId, step('b')), false));
      assert.equal(await peer.recordEntry(key, next.run!, step('c')), true);
      assert.deepEqual(keysOf(await read(store, key)), ['a', 'c']);
    },
  },
  {
    promise: 'recordEntry writes nothing once the task waits for input or has ended',
    async check(fixture) {
      const { store } = fixture;
      const ends: readonly ((record: TaskRecord) => TaskRecord)[] = [
        (record) => inputRequired(record, { name: QUESTION }, [questionSlot('name')]),
        (record) => completed(record, RESULT),
        (record) => cancelled(record),
      ];
      for (const end of ends) {
        const { key, record } = await given(store);
        await change(store, key, end);
        await leavesUntouched(fixture, key, async () => assert.equal(await store.recordEntry(key, record.run!, step('late')), false));
      }
    },
  },
  {
    promise: 'recordEntry of an unknown, deleted or expired task resolves to false and makes none',
    async check({ store, clock }) {
      const [deleted, expired] = [await given(store), await given(store, { ttlMs: SHORT_TTL_MS })];
      await store.delete(deleted.key);
      await clock.advance(SHORT_TTL_MS + 5);
      for (const key of [deleted.key, expired.key, taskKeyOf(undefined, newTaskId())]) {
        assert.equal(await store.recordEntry(key, deleted.record.run!, step('late')), false);
        assert.equal(await store.get(key), undefined);
      }
    },
  },
  {
    promise: 'recordEntry leaves an answered slot as it is, and resolves to true all the same',
    async check({ store, peer }) {
      const { key, record } = await given(store);
      await store.recordEntry(key, record.run!, step('a', 'first'));
      for (const handle of [store, peer]) assert.equal(await handle.recordEntry(key, record.run!, step('a', 'second')), true);
      await store.recordEntry(key, record.run!, step('b'));
      for (const handle of [store, peer]) assert.deepEqual((await read(handle, key)).ledger, [step('a', 'first'), step('b')]);
      const seen = await change(store, key, (current) => withStatusMessage(current, 'x'));
      assert.deepEqual(seen.ledger, [step('a', 'first'), step('b')]);
    },
  },
  {
    promise: 'questions, answers and steps keep their order, whoever writes them and how',
    async check({ store, peer }) {
      const { key, record } = await given(store);
      await store.recordEntry(key, record.run!, step('first'));
      const asked = await change(store, key, (current) =>
        inputRequired(current, { name: QUESTION }, [...current.ledger, questionSlot('name')]),
      );
      const response = { action: 'accept', content: { name: 'é' } } as const;
      const answered = await change(peer, key, (current) => applyAnswers(current, { name: response }, { owner: 'node-2', id: 'answer' }));
      assert.equal(await peer.recordEntry(key, answered.run!, step('second', null)), true);
      const after = await change(peer, key, (current) => withLedgerEntry(current, step('third')));
      const expected = [
        step('first'),
        { ...asked.ledger[1]!, answered: true, response, answeredBy: 'answer' },
        step('second', null),
        step('third'),
      ];
      assert.deepEqual(after.ledger, expected);
      assert.deepEqual((await read(store, key)).ledger, expected);
    },
  },
  {
    promise: 'an open slot keeps its request when its question is no longer asked, however long the ledger',
    async check({ store, peer }) {
      for (const long of ['', 'x'.repeat(10_000)]) {
        const { key, record } = await given(store);
        await store.recordEntry(key, record.run!, step('first', long));
        const questions = { name: QUESTION, other: { ...QUESTION, params: { ...QUESTION.params, message: 'Another?' } } } as const;
        const slots = [questionSlot('name'), { ...questionSlot('other'), request: questions.other }];
        const asked = await change(store, key, (current) => inputRequired(current, questions, [...current.ledger, ...slots]));
        assert.deepEqual((await read(peer, key)).ledger, asked.ledger);
        assert.deepEqual(asked.ledger, [step('first', long), ...slots]);
        const response = { action: 'decline' };
        const half = await change(peer, key, (current) => applyAnswers(current, { name: response }, { owner: 'node-2', id: 'answer' }));
        assert.deepEqual([half.ledger[1]?.request, half.ledger[2]], [QUESTION, slots[1]]);
        assert.deepEqual((await read(store, key)).ledger, half.ledger);
        const ended = await change(store, key, (current) => cancelled(current));
        for (const handle of [store, peer]) assert.deepEqual((await read(handle, key)).ledger, ended.ledger);
        assert.deepEqual(ended.ledger, half.ledger);
      }
    },
  },
  {
    promise: 'a change may make of the ledger whatever it likes',
    async check({ store, peer }) {
      const { key, record } = await given(store, { ledger: [step('a'), step('b')] });
      await store.recordEntry(key, record.run!, step('c'));
      const ledgers: readonly ((ledger: readonly Entry[]) => readonly Entry[])[] = [
        (ledger) => ledger.slice(1),
        (ledger) => ledger.toReversed(),
        (ledger) => ledger.map((entry) => ({ ...entry, response: 'another' })),
        () => [],
        () => [questionSlot('q'), step('d')],
        (ledger) => ledger.with(0, step('in its place')),
      ];
      for (const next of ledgers) {
        const { ledger } = await change(store, key, (current) => ({ ...current, ledger: next(current.ledger) }));
        assert.deepEqual((await read(peer, key)).ledger, ledger);
      }
      assert.equal(await peer.recordEntry(key, record.run!, step('e')), true);
      assert.deepEqual(keysOf(await read(store, key)), ['in its place', 'd', 'e']);
    },
  },
  {
    promise: 'however many steps and changes there are at once, none is lost',
    async check({ store, peer }) {
      const { key, record } = await given(store);
      const steps = Array.from({ length: 40 }, (_, index) => `step ${index}`);
      const recorded = steps.map((name, index) => (index % 2 === 0 ? store : peer).recordEntry(key, record.run!, step(name)));
      const texts = steps.map((name, index) =>
        change(index % 2 === 0 ? peer : store, key, (current) =>
          withStatusMessage(current, String(Number(current.statusMessage ?? 0) + (name ? 1 : 0))),
        ),
      );
      assert.deepEqual(
        await Promise.all(recorded),
        steps.map(() => true),
      );
      await Promise.all(texts);
      const after = await read(store, key);
      assert.deepEqual([keysOf(after).toSorted(), after.statusMessage, after.version], [steps.toSorted(), '40', 81]);
    },
  },
  {
    promise: 'recordEntry refuses what is no JSON, and writes nothing',
    async check(fixture) {
      const { key, record } = await given(fixture.store);
      const entry = step('a', { n: 1n } as never);
      await leavesUntouched(fixture, key, () => rejectsWith('NotJsonError', () => fixture.store.recordEntry(key, record.run!, entry)));
    },
  },
  {
    promise: 'recordEntry keeps what it was given, whatever the caller then does to it',
    async check({ store }) {
      const { key, record } = await given(store);
      const response = { list: ['a'] };
      await store.recordEntry(key, record.run!, step('a', response));
      response.list.push('scribbled');
      assert.deepEqual((await change(store, key, (current) => withStatusMessage(current, 'x'))).ledger, [step('a', { list: ['a'] })]);
      assert.deepEqual((await read(store, key)).ledger, [step('a', { list: ['a'] })]);
    },
  },
  {
    promise: 'recordEntry refuses the entry with which the record is too large, and writes nothing',
    bounded: true,
    async check({ open }) {
      const store = await open({ allowUnlimitedTtl: false, bounds: { maxRecordBytes: 4096, maxStoredPerPrincipal: 2 } });
      const { key, record } = await given(store);
      await store.recordEntry(key, record.run!, step('a', 'x'.repeat(2000)));
      const before = await read(store, key);
      await rejectsWith('TaskRecordTooLargeError', () => store.recordEntry(key, record.run!, step('b', 'x'.repeat(2000))));
      assert.deepEqual(await read(store, key), before);
    },
  },
];
