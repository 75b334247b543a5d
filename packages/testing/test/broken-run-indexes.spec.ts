import type { TaskRunIndex } from '@mocapi/tasks';
import { CollectingRunner, taskRunIndexContract } from '@mocapi/testing';
import {
  BuriesTheLiving,
  DropsWithTasks,
  EntersLate,
  LeavesInSilence,
  MindsWhoIsGone,
  ShowsNoBeats,
  storeWith,
  TellsEverybody,
  TellsNobody,
  TellsWhoLeft,
} from './broken-run-indexes.js';

type IndexClass = new (inner: TaskRunIndex) => TaskRunIndex;

const TOLD = 'a node is told that a task may not be its own any more, whichever node says so, and no other node is';
const LEFT = 'when a session leaves every other node is told, and it is told nothing any more';

/** A run index with one fault, and the promises it breaks. */
const WITH_ONE_FAULT: readonly (readonly [Index: IndexClass, promises: readonly string[]])[] = [
  [TellsNobody, [TOLD, LEFT]],
  [TellsEverybody, [TOLD]],
  [MindsWhoIsGone, ['to tell a session that is gone, or never was, does no harm', LEFT]],
  [LeavesInSilence, [LEFT]],
  [TellsWhoLeft, [LEFT]],
  [ShowsNoBeats, ['a session shows another sign after each beat, however often it is looked at, and none once it has left']],
  [BuriesTheLiving, ['who was silent is made to leave, on every node, unless it has beaten since']],
  [EntersLate, ['whoever sees a task that was written after it was entered sees the entry, too']],
  [DropsWithTasks, ['a dead session is kept while tasks stand under it, and is forgotten when dropped without']],
];

describe('the contract of a run index', () => {
  it.each(WITH_ONE_FAULT)(
    'finds out %p',
    async (Index, promises) => {
      const runner = new CollectingRunner();
      taskRunIndexContract(runner, { name: Index.name, create: (clock) => storeWith(Index, clock) });
      const broken = await runner.brokenPromises();
      expect(broken).toEqual(expect.arrayContaining([...promises]));
      // A contract that fails on everything would prove nothing.
      expect(broken.length).toBeLessThanOrEqual(promises.length + 2);
    },
    30_000,
  );
});
