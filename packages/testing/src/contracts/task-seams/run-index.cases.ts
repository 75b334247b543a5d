import assert from 'node:assert/strict';
import { newTaskId, type TaskKey, taskKeyOf, type TaskRunIndex, type TaskStore } from '@mocapi/tasks';
import { keyOf, type TaskStoreCase } from '../task-store/task-store.fixture.js';
import { sampleDraft } from '../../fakes/sample-task.js';
import { eventually } from './eventually.js';

const indexOf = ({ runIndex }: TaskStore): TaskRunIndex => {
  assert(runIndex !== undefined, 'the store should have a run index');
  return runIndex;
};

/** The sign of a session as `store` shows it. */
async function signOf(store: TaskStore, session: string): Promise<string | undefined> {
  const found = (await indexOf(store).sessions()).find((known) => known.session === session);
  assert(found, 'the session should be known');
  return found.sign;
}

/** The sessions that have left and are not forgotten. */
async function leftIn(store: TaskStore): Promise<readonly string[]> {
  return (await indexOf(store).sessions()).filter(({ sign }) => sign === undefined).map(({ session }) => session);
}

const someKey = (): TaskKey => taskKeyOf(undefined, newTaskId());

/** A session, and the notifications that its node received. */
interface ToldNode {
  readonly session: string;
  readonly stopped: TaskKey[];
  /** How often it was notified that a session has left. */
  readonly orphaned: () => number;
}

async function joined(store: TaskStore): Promise<ToldNode> {
  const stopped: TaskKey[] = [];
  let orphaned = 0;
  const session = await indexOf(store).join({ stopped: (key) => stopped.push(key), orphaned: () => (orphaned += 1) });
  return { session, stopped, orphaned: () => orphaned };
}

/**
 * Notifies `node` again and again that a task is stopped, until the node receives it: earlier notifications to anybody
 * have arrived by then.
 */
async function untilTold(store: TaskStore, node: ToldNode): Promise<void> {
  const key = someKey();
  await eventually(async () => {
    await indexOf(store).tellStopped(node.session, key);
    await eventually(() => assert(node.stopped.includes(key)), 100);
  });
}

/** Promises of a run index. */
export const runIndexCases: readonly TaskStoreCase[] = [
  {
    promise: 'each join is a new session, alive on any node',
    async check({ store, peer }) {
      const sessions = [await indexOf(store).join(), await indexOf(peer).join()];
      assert.equal(new Set(sessions).size, 2);
      for (const session of sessions) assert.equal(await indexOf(store).beat(session), true);
      assert.deepEqual(await leftIn(store), []);
    },
  },
  {
    promise: 'a beat of an unknown session says that it is gone',
    async check({ store }) {
      assert.equal(await indexOf(store).beat('nobody'), false);
      assert.deepEqual(await indexOf(store).sessions(), []);
    },
  },
  {
    promise: 'a session shows another sign after each beat, however often it is looked at, and none once it has left',
    async check({ store, peer }) {
      const index = indexOf(store);
      const session = await index.join();
      const signs = [await signOf(peer, session)];
      for (let beat = 0; beat < 3; beat++) {
        assert.equal(await signOf(peer, session), signs.at(-1));
        await index.beat(session);
        signs.push(await signOf(peer, session));
      }
      assert.equal(new Set(signs).size, 4, 'each beat should show');
      assert(!signs.includes(undefined));
      await index.leave(session);
      assert.equal(await signOf(peer, session), undefined);
    },
  },
  {
    promise: 'a silent session is removed, on every node, unless it has beaten since',
    async check({ store, peer }) {
      const session = await indexOf(store).join();
      const before = (await signOf(peer, session))!;
      await indexOf(store).beat(session);
      assert.equal(await indexOf(peer).bury(session, before), false);
      assert.equal(await indexOf(store).beat(session), true);
      const now = (await signOf(peer, session))!;
      for (const node of [peer, peer, store]) assert.equal(await indexOf(node).bury(session, now), true);
      assert.deepEqual(await leftIn(store), [session]);
      assert.equal(await indexOf(store).beat(session), false);
    },
  },
  {
    promise: 'a session that leaves is dead at once, on every node, and cannot beat any more',
    async check({ store, peer }) {
      const session = await indexOf(store).join();
      await indexOf(store).leave(session);
      assert.deepEqual(await leftIn(peer), [session]);
      assert.equal(await indexOf(store).beat(session), false);
    },
  },
  {
    promise: 'the tasks of a session are known on every node, up to the limit, and registering or removing one twice is harmless',
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
    promise: 'a dead session is kept while it has tasks, and is forgotten when dropped without any',
    async check({ store }) {
      const index = indexOf(store);
      const session = await index.join();
      const key = someKey();
      await index.markRunning(session, key);
      await index.leave(session);
      await index.drop(session);
      assert.deepEqual(await leftIn(store), [session]);
      await index.unmark(session, key);
      for (const again of [session, session]) await index.drop(again);
      assert.deepEqual(await index.sessions(), []);
      assert.equal(await index.beat(session), false);
    },
  },
  {
    promise: 'a node learns that a task may no longer be its own, whichever node says so, and no other node does',
    async check({ store, peer }) {
      const [mine, other] = [await joined(store), await joined(peer)];
      const key = someKey();
      await untilTold(peer, mine);
      await indexOf(peer).tellStopped(mine.session, key);
      await eventually(() => assert(mine.stopped.includes(key)));
      await untilTold(store, other);
      assert(!other.stopped.includes(key), 'the other node should not be notified');
    },
  },
  {
    promise: 'notifying a session that is gone, or never existed, is harmless',
    async check({ store }) {
      const gone = await joined(store);
      await indexOf(store).leave(gone.session);
      for (const session of [gone.session, 'nobody']) await indexOf(store).tellStopped(session, someKey());
    },
  },
  {
    promise: 'when a session leaves, every other node is notified, and it gets no more notifications',
    async check({ store, peer }) {
      const [here, there, leaving] = [await joined(store), await joined(peer), await joined(peer)];
      for (const node of [here, there, leaving]) await untilTold(store, node);
      const before = leaving.stopped.length;
      await indexOf(peer).leave(leaving.session);
      await eventually(() => assert(here.orphaned() > 0 && there.orphaned() > 0, 'every other node should be notified'));
      await indexOf(store).tellStopped(leaving.session, someKey());
      await untilTold(store, here);
      await untilTold(store, there);
      assert.equal(leaving.stopped.length, before);
      assert.equal(leaving.orphaned(), 0);
    },
  },
  {
    promise: 'a node that sees a task that was written after its entry also sees the entry',
    async check({ store, peer }) {
      const session = await indexOf(store).join();
      for (let round = 0; round < 20; round++) {
        const draft = sampleDraft();
        const key = keyOf(draft);
        await indexOf(store).markRunning(session, key);
        const creating = store.create(draft);
        await eventually(async () => assert(await peer.get(key)));
        assert((await indexOf(peer).runningOf(session, 100)).includes(key), 'the task can be read, and its entry is missing');
        await creating;
      }
    },
  },
];
