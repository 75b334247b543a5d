import assert from 'node:assert/strict';
import {
  applyAnswers,
  cancelled,
  completed,
  inputRequired,
  settle,
  type TaskRecord,
  takenOver,
  withStatusMessage,
  working,
} from '@mocapi/tasks';
import { QUESTION, questionSlot, RESULT } from './task-store.samples.js';
import { change, given, leavesUntouched, read, type TaskStoreCase } from './task-store.fixture.js';

const count = (record: TaskRecord): number => Number(record.statusMessage ?? 0);

/** Promises of `update` to several writers. */
export const concurrencyCases: readonly TaskStoreCase[] = [
  {
    promise: 'however many writers there are at once, no change is lost',
    async check({ store, peer }) {
      const { key } = await given(store);
      const writer = async (handle: typeof store) => {
        for (let round = 0; round < 25; round++)
          await change(handle, key, (record) => withStatusMessage(record, String(count(record) + 1)));
      };
      await Promise.all(Array.from({ length: 8 }, (_, index) => writer(index % 2 === 0 ? store : peer)));
      const { statusMessage, version } = await read(store, key);
      assert.deepEqual({ statusMessage, version }, { statusMessage: '200', version: 201 });
    },
  },
  {
    promise: 'however often a mutation is run, its change is committed once',
    async check({ store, peer }) {
      const { key } = await given(store);
      let runs = 0;
      const add = (record: TaskRecord) => ((runs += 1), withStatusMessage(record, String(count(record) + 1)));
      const versions = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => (await change(i % 2 === 0 ? store : peer, key, add)).version),
      );
      assert(runs >= 20);
      assert.equal((await read(store, key)).statusMessage, '20');
      assert.deepEqual(
        versions.toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, i) => i + 2),
      );
    },
  },
  {
    promise: 'of many claimants of one run, exactly one finds itself in the record that comes back',
    async check({ store, peer }) {
      const { key } = await given(store, { run: undefined as never });
      const claims = Array.from({ length: 16 }, (_, index) => ({ owner: `node-${index % 4}`, id: `claim-${index}` }));
      const returned = await Promise.all(
        claims.map((claim, index) => change(index % 2 === 0 ? store : peer, key, (record) => working(record, claim))),
      );
      const winners = claims.filter((claim, index) => returned[index]?.run?.id === claim.id);
      assert.equal(winners.length, 1);
      assert.equal((await read(store, key)).run?.id, winners[0]?.id);
      assert.equal((await read(store, key)).version, 2);
    },
  },
  {
    promise: 'the same answer, given many times at once, is accepted once and begins one run',
    async check({ store, peer }) {
      const { key } = await given(store);
      await change(store, key, (record) => inputRequired(record, { name: QUESTION }, [questionSlot('name')]));
      const ids = Array.from({ length: 16 }, (_, index) => `answer-${index}`);
      const returned = await Promise.all(
        ids.map((id, index) =>
          change(index % 2 === 0 ? store : peer, key, (record) =>
            applyAnswers(record, { name: { action: 'accept', content: { by: id } } }, { owner: 'node', id }),
          ),
        ),
      );
      const winners = ids.filter((id, index) => returned[index]?.run?.id === id);
      assert.equal(winners.length, 1);
      const { ledger, version } = await read(store, key);
      assert.deepEqual([ledger[0]?.answeredBy, ledger[0]?.response], [winners[0], { action: 'accept', content: { by: winners[0] } }]);
      assert.equal(version, 3);
    },
  },
  {
    promise: 'of a cancellation and a completion at once, the first commit wins, and both get the same end',
    async check({ store, peer }) {
      for (let round = 0; round < 10; round++) {
        const { key } = await given(store);
        const ends = [() => change(store, key, (r) => cancelled(r)), () => change(peer, key, (r) => completed(r, RESULT))];
        const [one, other] = await Promise.all((round % 2 === 0 ? ends : ends.toReversed()).map((end) => end()));
        assert.deepEqual(one, other);
        assert.equal(one?.version, 2);
        assert.deepEqual(await read(store, key), one);
      }
    },
  },
  {
    promise: 'a late write under the fence of a run that was taken over changes nothing',
    async check(fixture) {
      const { store } = fixture;
      const { key, record } = await given(store);
      const zombie = record.run!;
      const next = await change(store, key, (current) => takenOver(current, zombie, { owner: 'node-2', id: 'run-2' }));
      assert.equal(next.run?.id, 'run-2');
      assert(next.run.fence > zombie.fence);
      await leavesUntouched(fixture, key, () => store.update(key, (current) => settle(current, zombie, (r) => completed(r, RESULT))));
    },
  },
];
