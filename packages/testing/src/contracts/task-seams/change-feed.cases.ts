import assert from 'node:assert/strict';
import { type TaskChangeFeed, type TaskKey, withStatusMessage } from '@mocapi/tasks';
import { change, given, read, type TaskStoreCase, type TaskStoreFixture } from '../task-store/task-store.fixture.js';
import { eventually } from './eventually.js';

const feedOf = ({ store }: TaskStoreFixture): TaskChangeFeed => {
  assert(store.changeFeed !== undefined, 'the store should have a change feed');
  return store.changeFeed;
};

let texts = 0;
const touch = (fixture: TaskStoreFixture, key: TaskKey) =>
  change(fixture.peer, key, (record) => withStatusMessage(record, `text ${(texts += 1)}`));

/**
 * Watches until the watch is known to work: a feed across nodes may take a moment, and `watch` does not wait for it.
 * By then it has heard of every change that this made.
 */
async function watching(fixture: TaskStoreFixture, key: TaskKey): Promise<{ heard: number[]; unwatch: () => void }> {
  const heard: number[] = [];
  const unwatch = feedOf(fixture).watch(key, (version) => heard.push(version));
  await eventually(async () => {
    await touch(fixture, key);
    await eventually(() => assert(heard.length > 0), 100);
  });
  const { version } = await read(fixture.store, key);
  await eventually(() => assert.equal(heard.at(-1), version));
  return { heard, unwatch };
}

/** Promises of a change feed. */
export const changeFeedCases: readonly TaskStoreCase[] = [
  {
    promise: 'a watcher hears of a change made on any node, and of the last one with its version',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const { heard, unwatch } = await watching(fixture, key);
      await touch(fixture, key);
      const { version } = await touch(fixture, key);
      await eventually(() => assert.equal(heard.at(-1), version));
      unwatch();
    },
  },
  {
    promise: 'when a watcher is notified, the change can be read',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const reads: Promise<void>[] = [];
      const unwatch = feedOf(fixture).watch(key, (version) => {
        reads.push(read(fixture.store, key).then((record) => assert(record.version >= version)));
      });
      await eventually(async () => {
        await touch(fixture, key);
        assert(reads.length > 0);
      });
      unwatch();
      await Promise.all(reads);
    },
  },
  {
    promise: 'an update without effect is not announced',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const { heard, unwatch } = await watching(fixture, key);
      const { version } = await read(fixture.store, key);
      await eventually(() => assert.equal(heard.at(-1), version));
      const before = heard.length;
      await fixture.store.update(key, (record) => record);
      await touch(fixture, key);
      await eventually(() => assert.equal(heard.at(-1), version + 1));
      assert.deepEqual(heard.slice(before), [version + 1]);
      unwatch();
    },
  },
  {
    promise: 'a watcher hears of its own task only',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const { key: other } = await given(fixture.store);
      const mine = await watching(fixture, key);
      const theirs = await watching(fixture, other);
      const before = mine.heard.at(-1);
      for (let round = 0; round < 5; round++) await touch(fixture, other);
      const { version } = await read(fixture.store, other);
      await eventually(() => assert.equal(theirs.heard.at(-1), version));
      assert.equal(mine.heard.at(-1), before);
      for (const { unwatch } of [mine, theirs]) unwatch();
    },
  },
  {
    promise: 'a watcher that stopped hears nothing more, the others continue, and stopping twice is harmless',
    async check(fixture) {
      const { key } = await given(fixture.store);
      const gone = await watching(fixture, key);
      const stays = await watching(fixture, key);
      gone.unwatch();
      gone.unwatch();
      const before = [...gone.heard];
      const { version } = await touch(fixture, key);
      await eventually(() => assert.equal(stays.heard.at(-1), version));
      assert.deepEqual(gone.heard, before);
      stays.unwatch();
    },
  },
];
