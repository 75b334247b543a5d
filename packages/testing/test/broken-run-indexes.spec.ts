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

const TOLD = 'a node learns that a task may no longer be its own, whichever node says so, and no other node does';
const LEFT = 'when a session leaves, every other node is notified, and it gets no more notifications';

/** A run index with one fault, and the promises it breaks. */
const WITH_ONE_FAULT: readonly (readonly [Index: IndexClass, promises: readonly string[]])[] = [
  [TellsNobody, [TOLD, LEFT]],
  [TellsEverybody, [TOLD]],
  [MindsWhoIsGone, ['notifying a session that is gone, or never existed, is harmless', LEFT]],
  [LeavesInSilence, [LEFT]],
  [TellsWhoLeft, [LEFT]],
  [ShowsNoBeats, ['a session shows another sign after each beat, however often it is looked at, and none once it has left']],
  [BuriesTheLiving, ['a silent session is removed, on every node, unless it has beaten since']],
  [EntersLate, ['a node that sees a task that was written after its entry also sees the entry']],
  [DropsWithTasks, ['a dead session is kept while it has tasks, and is forgotten when dropped without any']],
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
