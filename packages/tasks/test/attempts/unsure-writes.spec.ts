import { firstRun, newTaskId, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { UnsureWrites, type UnsureWrite } from '../../src/attempts/unsure-writes.js';
import { turns } from '../e2e/support/flow.js';
import { realProcess } from '../e2e/support/unhandled-rejections.js';
import { WatchedStore } from '../e2e/support/watched-store.js';

let clock: FakeClock;
let store: WatchedStore;
let unsure: UnsureWrites;
let fates: string[];
let found: TaskRecord[];

beforeEach(() => {
  clock = new FakeClock();
  store = new WatchedStore(clock);
  unsure = new UnsureWrites(store, clock);
  fates = [];
  found = [];
});

afterEach(() => store.close());

const draft = sampleDraft({ taskId: newTaskId(), ttlMs: 3_600_000, run: firstRun({ owner: 'node', id: 'mine' }) });

function follow(overrides: Partial<UnsureWrite> = {}): void {
  const entry = { session: 'node', leave: () => void fates.push('left'), abandon: () => void fates.push('abandoned') };
  const key = taskKeyOf(draft.principal, draft.taskId, draft.endpoint);
  unsure.follow({ key, runId: 'mine', entry, found: (record) => void found.push(record), ...overrides });
}

describe('a write of which it is not known whether it was made', () => {
  it('is found when it was, and its entry stands for whoever runs it', async () => {
    const record = await store.create(draft);
    follow();
    await clock.advance(100);
    expect([found, fates]).toEqual([[record], []]);
    expect(clock.pendingTimers).toBe(1);
  });

  it('is found also when it arrives after its sender gave up', async () => {
    follow();
    await clock.advance(10_000);
    await store.create(draft);
    await clock.advance(40_000);
    expect([found.length, fates]).toEqual([1, []]);
  });

  it('is not made up: after a minute without a trace of it the entry is left', async () => {
    follow();
    await clock.advance(59_999);
    expect(fates).toEqual([]);
    // The last look is then, however long the pauses have become.
    await clock.advance(1);
    expect([found, fates]).toEqual([[], ['left']]);
  });

  it('is not taken for that of another run', async () => {
    await store.create({ ...draft, run: firstRun({ owner: 'node', id: 'other' }) });
    follow();
    await clock.advance(120_000);
    expect([found, fates]).toEqual([[], ['left']]);
  });

  it('is looked for as long as the store does not answer, and acted on again when that failed', async () => {
    await store.create(draft);
    let refusals = 2;
    store.before = {
      get: () => {
        if (refusals-- > 0) throw new Error('the store is away');
      },
    };
    let failures = 1;
    follow({
      found: (record) => {
        if (failures-- > 0) throw new Error('not yet');
        found.push(record);
      },
    });
    await clock.advance(100 + 400 + 1600);
    expect(found).toEqual([]);
    await clock.advance(6400);
    expect([found.length, store.count('get')]).toEqual([1, 4]);
  });

  it('may be one of many: no leak is warned of', async () => {
    const warnings: string[] = [];
    const listener = ({ name }: Error): void => void warnings.push(name);
    realProcess.on('warning', listener);
    for (let count = 0; count < 50; count++) follow();
    await turns(3);
    realProcess.off('warning', listener);
    expect([warnings, clock.pendingTimers]).toEqual([[], 50]);
    unsure.close();
  });

  it('is left to the others when this node ends', async () => {
    follow();
    unsure.close();
    await turns(2);
    expect(fates).toEqual(['abandoned']);
    expect(clock.pendingTimers).toBe(0);
  });
});
