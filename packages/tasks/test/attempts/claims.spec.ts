import { firstRun, type TaskRecord, taskKeyOf } from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { Claims } from '../../src/attempts/claims.js';
import { InFlight, type RunningAttempts } from '../../src/attempts/running-attempts.js';
import { UnsureWrites } from '../../src/attempts/unsure-writes.js';
import { NodeMembership } from '../../src/nodes/node-membership.js';
import { turns } from '../e2e/support/flow.js';
import { WatchedStore } from '../e2e/support/watched-store.js';

let clock: FakeClock;
let store: WatchedStore;
let unsure: UnsureWrites;
let claims: Claims;
let record: TaskRecord;

beforeEach(async () => {
  clock = new FakeClock();
  store = new WatchedStore(clock);
  unsure = new UnsureWrites(store, clock);
  const nodes = new NodeMembership({ index: store.runIndex, clock, leaseMs: 15_000 });
  const running = { claim: async (_key, claiming) => claiming({}) } as Pick<RunningAttempts, 'claim'> as RunningAttempts;
  claims = new Claims({ store, nodes, running, unsure, inFlight: new InFlight() });
  record = await store.create(sampleDraft({ run: firstRun({ owner: 'other', id: 'other' }) }));
});
afterEach(() => {
  unsure.close();
  store.close();
});

/** Claims the task; resolves to the session it was entered under. */
async function claim(): Promise<string> {
  let session = '';
  const mark = store.runIndex.markRunning.bind(store.runIndex);
  store.runIndex.markRunning = (own, key) => mark((session = own), key);
  const key = taskKeyOf(record.principal, record.taskId, record.endpoint);
  const write = { mutate: (current: TaskRecord) => ({ ...current, statusMessage: 'x' }), won: () => undefined };
  await expect(claims.claim(key, write)).rejects.toThrow('broken');
  await turns(3);
  return session;
}

const fail = (): never => {
  throw new Error('broken');
};

describe('a claim that fails', () => {
  it('before the record was read leaves no entry, and nothing to look for', async () => {
    const timers = clock.pendingTimers;
    store.before = { update: fail };
    expect(await store.runIndex.runningOf(await claim(), 10)).toEqual([]);
    expect([clock.pendingTimers - timers, store.count('get')]).toEqual([0, 0]);
  });

  it('after that may have been made: its entry stands while it is looked for', async () => {
    const timers = clock.pendingTimers;
    const update = store.update.bind(store);
    store.update = async (key, mutate) => {
      await update(key, mutate);
      return fail();
    };
    expect(await store.runIndex.runningOf(await claim(), 10)).toHaveLength(1);
    expect(clock.pendingTimers - timers).toBe(1);
  });
});
