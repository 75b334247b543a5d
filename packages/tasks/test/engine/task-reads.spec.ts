import { InMemoryTaskStore, newTaskId, taskKeyOf, TaskReads, withStatusMessage, type TaskKey, type TaskStore } from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { deferred, turns, type Deferred } from '../e2e/support/flow.js';
import { WatchedStore } from '../e2e/support/watched-store.js';

let clock: FakeClock;
let inner: WatchedStore;
let reads: TaskReads;
let key: TaskKey;

beforeEach(async () => {
  clock = new FakeClock();
  inner = new WatchedStore(clock);
  inner.close();
  // Not one in memory, as far as reads can tell.
  reads = new TaskReads({ view: (asked: TaskKey) => inner.get(asked) } as unknown as TaskStore, clock);
  const draft = sampleDraft();
  key = taskKeyOf(draft.principal, draft.taskId, draft.endpoint);
  await inner.create(draft);
});

const touch = (text: string): Promise<unknown> => inner.update(key, (record) => withStatusMessage(record, text));
const text = async (): Promise<string | undefined> => (await reads.get(key))?.statusMessage;

describe('reads for polls', () => {
  it('ask the store once for all that poll at the same time, and once more after 25 ms', async () => {
    const answer: Deferred = deferred();
    inner.before = { get: () => answer.promise };
    const polls = Array.from({ length: 100 }, async () => reads.get(key));
    answer.resolve();
    expect(new Set(await Promise.all(polls)).size).toBe(1);
    expect(inner.count('get')).toBe(1);
    await clock.advance(24);
    await reads.get(key);
    expect(inner.count('get')).toBe(1);
    await clock.advance(1);
    await reads.get(key);
    expect(inner.count('get')).toBe(2);
  });

  it('see a write of this node at once, also when they began before it', async () => {
    await touch('one');
    expect(await text()).toBe('one');
    const answer: Deferred = deferred();
    await clock.advance(25);
    inner.before = { get: () => answer.promise };
    const before = reads.get(key);
    await touch('two');
    reads.forget(key);
    inner.before = {};
    expect(await text()).toBe('two');
    answer.resolve();
    await before;
    expect(await text()).toBe('two');
  });

  it('never keep that a task is unknown, nor a failure, and leave nothing behind', async () => {
    const unknown = taskKeyOf(undefined, newTaskId());
    await reads.get(unknown);
    await reads.get(unknown);
    expect(inner.count('get')).toBe(2);
    inner.before = {
      get: () => {
        throw new Error('away');
      },
    };
    await expect(reads.get(key)).rejects.toThrow('away');
    await turns(1);
    inner.before = {};
    expect(await reads.get(key)).toBeDefined();
    await clock.advance(25);
    expect(clock.pendingTimers).toBe(0);
  });

  it('pass a store in memory by: it is read for nothing', async () => {
    const memory = new InMemoryTaskStore(clock);
    const plain = new TaskReads(memory, clock);
    const record = await memory.create(sampleDraft());
    const own = taskKeyOf(record.principal, record.taskId, record.endpoint);
    await plain.get(own);
    await memory.update(own, (current) => withStatusMessage(current, 'new'));
    expect((await plain.get(own))?.statusMessage).toBe('new');
    memory.close();
  });
});
