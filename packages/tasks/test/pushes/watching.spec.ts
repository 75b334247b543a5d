import type { DispatchContext, SubscriptionSink, TopicNotification } from '@mocapi/core/extension';
import type { ResolvedMcpOptions } from '@mocapi/core/internal';
import {
  InMemoryTaskStore,
  type TaskKey,
  taskKeyOf,
  type TaskRecord,
  type TaskView,
  TaskSubscriptions,
  takenOver,
  TaskWatches,
  withLedgerEntry,
  withStatusMessage,
} from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { turns } from '../e2e/support/flow.js';

const ALICE = { id: 'alice' };

let clock: FakeClock;
let store: InMemoryTaskStore;
let watches: TaskWatches;
let record: TaskRecord;
let key: TaskKey;

beforeEach(async () => {
  clock = new FakeClock();
  store = new InMemoryTaskStore(clock);
  watches = new TaskWatches(store, clock);
  record = await store.create(sampleDraft({ principal: ALICE, ttlMs: 5_000 }));
  key = taskKeyOf(ALICE, record.taskId);
});

afterEach(() => store.close());

/** A stream whose reader has stalled: it keeps what it would have to render, by key. */
class StalledSink implements SubscriptionSink {
  readonly waiting = new Map<string, () => TopicNotification | undefined>();

  emit(topic: string, render: () => TopicNotification | undefined): void {
    this.waiting.set(topic, render);
  }
}

describe('a stream whose reader has stalled', () => {
  async function listen(): Promise<StalledSink> {
    const options = { limits: { maxWatched: 10 } } as ResolvedMcpOptions;
    const topic = new TaskSubscriptions(store, watches, clock, options);
    const honoured = await topic.honour([record.taskId], { principal: ALICE } as DispatchContext);
    const sink = new StalledSink();
    honoured!.start(sink);
    await turns(3);
    return sink;
  }

  it('keeps one state of each task, the latest', async () => {
    const sink = await listen();
    for (const message of ['one', 'two', 'three']) {
      await store.update(key, (current) => withStatusMessage(current, message));
      await turns(2);
    }
    expect([...sink.waiting.values()].map((render) => render()?.params?.statusMessage)).toEqual(['three']);
  });

  it('hears once that a task has expired by the time it reads on', async () => {
    const sink = await listen();
    const [render] = [...sink.waiting.values()];
    await clock.advance(5_000);
    expect(render!()?.params).toMatchObject({ taskId: record.taskId });
    await clock.advance(1);
    expect(render!()?.params).toMatchObject({ status: 'failed', statusMessage: 'Task expired' });
    expect(render!()).toBeUndefined();
  });
});

describe('a store that lost its last writes', () => {
  it('is believed again as soon as it says something later, though its versions count from further back', async () => {
    const lost = (await store.update(key, (current) => withStatusMessage(current, 'lost')))!;
    const at = lost.lastUpdatedAt + 1000;
    const again = { ...record, version: lost.version, lastUpdatedAt: at, statusMessage: 'again' };
    const answers = [lost, record, again, again];
    store.get = () => Promise.resolve(answers.shift());
    const told: (string | undefined)[] = [];
    const leave = watches.watch(key, { from: record.version, listener: (state) => told.push(state?.statusMessage) });
    await turns(3);
    for (let round = 0; round < 3; round++) {
      store.changeFeed.announce(key, Infinity);
      await turns(3);
    }
    expect([told, answers.length]).toEqual([['lost', 'again'], 0]);
    leave();
  });
});

describe('a store that lags behind', () => {
  it('takes nobody back in time', async () => {
    const newer = (await store.update(key, (current) => withStatusMessage(current, 'newer')))!;
    const answers = [record, newer, record, { ...newer, statusMessage: 'newest', version: newer.version + 1 }];
    store.get = () => Promise.resolve(answers.shift());
    const told: (number | undefined)[] = [];
    const leave = watches.watch(key, { from: newer.version, listener: (state) => told.push(state?.version) });
    await turns(3);
    for (let round = 0; round < 3; round++) {
      store.changeFeed.announce(key, 99);
      await turns(3);
    }
    expect(answers).toEqual([]);
    expect(told).toEqual([newer.version, newer.version + 1]);
    leave();
    expect([watches.size, clock.pendingTimers]).toEqual([0, 1]);
  });
});

describe('a watch', () => {
  it('may be ended twice, and its end leaves the others alone', async () => {
    const heard: string[] = [];
    const one = watches.watch(key, { from: 1, listener: () => heard.push('one') });
    const other = watches.watch(key, { from: 1, listener: () => heard.push('other') });
    await turns(3);
    one();
    one();
    await store.update(key, (current) => withStatusMessage(current, 'again'));
    await turns(3);
    expect(heard).toEqual(['one', 'other', 'other']);
    other();
    expect(watches.size).toBe(0);
    const again = watches.watch(key, { from: 1, listener: () => heard.push('again') });
    one();
    other();
    await turns(3);
    expect([heard.at(-1), watches.size]).toEqual(['again', 1]);
    again();
    const { watches: heardOf } = store.changeFeed as unknown as { watches: Map<TaskKey, unknown> };
    expect(heardOf.size).toBe(0);
  });
});

describe('a change that no client sees', () => {
  it('is no news: a step and another run tell nothing, and the next visible change does', async () => {
    const told: (TaskView | undefined)[] = [];
    const leave = watches.watch(key, { from: record.version, listener: (state) => told.push(state) });
    await turns(3);
    expect(told.map((state) => state?.version)).toEqual([1]);
    const step = { key: 'charge', kind: 'step', fingerprint: '', answered: true, response: 1 } as const;
    await store.update(key, (current) => withLedgerEntry(current, step));
    await turns(3);
    await store.update(key, (current) => takenOver(current, current.run!, { owner: 'node-2', id: 'run-2' }));
    await turns(3);
    expect([(await store.get(key))?.version, told.length]).toEqual([3, 1]);
    await store.update(key, (current) => withStatusMessage(current, 'seen'));
    await turns(3);
    expect(told.map((state) => state?.version)).toEqual([1, 4]);
    leave();
  });
});
