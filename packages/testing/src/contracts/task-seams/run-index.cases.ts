import assert from 'node:assert/strict';
import { newTaskId, type TaskKey, taskKeyOf, type TaskRunIndex, type TaskStore } from '@mocapi/tasks';
import { SHORT_TTL_MS as LEASE_MS, type TaskStoreCase } from '../task-store/task-store.fixture.js';

const indexOf = ({ runIndex }: TaskStore): TaskRunIndex => {
  assert(runIndex !== undefined, 'the store should have a run index');
  return runIndex;
};

const someKey = (): TaskKey => taskKeyOf(undefined, newTaskId());

/** What a run index promises. */
export const runIndexCases: readonly TaskStoreCase[] = [
  {
    promise: 'each join is a new session, alive on any node',
    async check({ store, peer }) {
      const sessions = [await indexOf(store).join(), await indexOf(peer).join()];
      assert.equal(new Set(sessions).size, 2);
      for (const session of sessions) assert.equal(await indexOf(store).beat(session), true);
      assert.deepEqual(await indexOf(store).dead(LEASE_MS), []);
    },
  },
  {
    promise: 'a beat of an unknown session says that it is gone',
    async check({ store }) {
      assert.equal(await indexOf(store).beat('nobody'), false);
      assert.deepEqual(await indexOf(store).dead(0), []);
    },
  },
  {
    promise: 'a session is dead when its last beat is longer ago than the lease, and not before',
    exactTime: true,
    async check({ store, clock }) {
      const index = indexOf(store);
      const [silent, beating] = [await index.join(), await index.join()];
      await clock.advance(LEASE_MS);
      assert.deepEqual(await index.dead(LEASE_MS), []);
      await index.beat(beating);
      await clock.advance(1);
      assert.deepEqual(await index.dead(LEASE_MS), [silent]);
    },
  },
  {
    promise: 'who leaves is dead at once, on every node, and can not beat any more',
    async check({ store, peer }) {
      const session = await indexOf(store).join();
      await indexOf(store).leave(session);
      assert.deepEqual(await indexOf(peer).dead(LEASE_MS), [session]);
      assert.equal(await indexOf(store).beat(session), false);
    },
  },
  {
    promise: 'what a session runs is known on every node, up to the limit, and entering or striking off twice is harmless',
    async check({ store, peer }) {
      const index = indexOf(store);
      const session = await index.join();
      const [one, other] = [someKey(), someKey()];
      for (const key of [one, other, one]) await index.markRunning(session, key);
      assert.deepEqual((await indexOf(peer).runningOf(session, 10)).toSorted(), [one, other].toSorted());
      assert.equal((await indexOf(peer).runningOf(session, 1)).length, 1);
      for (const key of [one, one]) await index.unmark(session, key);
      assert.deepEqual(await index.runningOf(session, 10), [other]);
      assert.deepEqual(await index.runningOf('nobody', 10), []);
    },
  },
  {
    promise: 'a dead session is kept while tasks stand under it, and is forgotten when dropped without',
    async check({ store }) {
      const index = indexOf(store);
      const session = await index.join();
      const key = someKey();
      await index.markRunning(session, key);
      await index.leave(session);
      await index.drop(session);
      assert.deepEqual(await index.dead(LEASE_MS), [session]);
      await index.unmark(session, key);
      for (const again of [session, session]) await index.drop(again);
      assert.deepEqual(await index.dead(LEASE_MS), []);
      assert.equal(await index.beat(session), false);
    },
  },
];
