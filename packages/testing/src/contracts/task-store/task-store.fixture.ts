import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  SystemClock,
  type TaskDraft,
  type TaskKey,
  taskKeyOf,
  type TaskRecord,
  type TaskStore,
  type TaskStoreBounds,
} from '@mocapi/tasks';
import { FakeClock } from '../../fakes/fake-clock.js';
import { sampleDraft } from '../../fakes/sample-task.js';
import type { ContractCase, ContractFixture } from '../define-contract.js';

/** Settings for the store under test. */
export interface TaskStoreContractOptions {
  readonly allowUnlimitedTtl: boolean;
  /** Given where `TaskStoreContractSubject.bounds` is true. */
  readonly bounds?: TaskStoreBounds;
}

/** The store under test, and how to make it. */
export interface TaskStoreContractSubject {
  /** The title of the suite. */
  readonly name: string;
  /** An empty store. All its times must come from `clock`; with `clock: 'real'` they may come from any clock that agrees. */
  create(clock: Clock, options: TaskStoreContractOptions): TaskStore | Promise<TaskStore>;
  /** Another handle on the data of `store`, as a second node would have it. Without it the store itself is used. */
  peer?(store: TaskStore, clock: Clock): TaskStore | Promise<TaskStore>;
  /** Disposes of a store. Called for every store and peer, the peer first. */
  dispose?(store: TaskStore): void | Promise<void>;
  /** Whether `create` respects `bounds`. Without it the cases about limits are left out. */
  readonly bounds?: true;
  /** `'real'` for a store that can't be given a clock: time then passes, and what needs the exact millisecond is left out. Default `'fake'`. */
  readonly clock?: 'fake' | 'real';
}

/** A clock that a case can let pass. */
interface MovableClock extends Clock {
  advance(ms: number): Promise<void>;
}

/** Fixture of each case. */
export interface TaskStoreFixture {
  readonly store: TaskStore;
  readonly peer: TaskStore;
  readonly clock: MovableClock;
  /** A further store, with other options. */
  readonly open: (options: TaskStoreContractOptions) => Promise<TaskStore>;
}

/** A case of the store contract. */
export interface TaskStoreCase extends ContractCase<TaskStoreFixture> {
  /** It needs a clock that stands still. */
  readonly exactTime?: true;
  /** It needs a store that respects `bounds`. */
  readonly bounded?: true;
}

/** A ttl that a real clock can outlast, too. */
export const SHORT_TTL_MS = 300;

/** Those of `cases` that can be run on the subject's clock and with its options. */
export function casesFor(subject: TaskStoreContractSubject, cases: readonly TaskStoreCase[]): readonly TaskStoreCase[] {
  const isPossible = ({ exactTime, bounded }: TaskStoreCase): boolean =>
    (subject.clock !== 'real' || exactTime !== true) && (subject.bounds === true || bounded !== true);
  return cases.filter(isPossible);
}

/** Makes fixtures of `subject`, and disposes of all they opened. */
export function fixtureOf(subject: TaskStoreContractSubject): ContractFixture<TaskStoreFixture> {
  const opened = new WeakMap<TaskStoreFixture, TaskStore[]>();
  return {
    async setUp() {
      const clock = subject.clock === 'real' ? new RealClock() : new FakeClock();
      const stores: TaskStore[] = [];
      const open = async (options: TaskStoreContractOptions) => {
        const store = await subject.create(clock, options);
        stores.unshift(store);
        return store;
      };
      const store = await open({ allowUnlimitedTtl: false });
      const peer = (await subject.peer?.(store, clock)) ?? store;
      if (peer !== store) stores.unshift(peer);
      const fixture = { store, peer, clock, open };
      opened.set(fixture, stores);
      return fixture;
    },
    async tearDown(fixture) {
      for (const store of opened.get(fixture) ?? []) await subject.dispose?.(store);
    },
  };
}

/** The key of a draft or record. */
export function keyOf(task: Pick<TaskDraft, 'principal' | 'taskId' | 'endpoint'>): TaskKey {
  return taskKeyOf(task.principal, task.taskId, task.endpoint);
}

/** A task in `store`, its key and its record. */
export async function given(store: TaskStore, overrides: Partial<TaskDraft> = {}): Promise<{ key: TaskKey; record: TaskRecord }> {
  const record = await store.create(sampleDraft(overrides));
  return { key: keyOf(record), record };
}

/** The task under `key`, which must be there. */
export async function read(store: TaskStore, key: TaskKey): Promise<TaskRecord> {
  const record = await store.get(key);
  assert(record !== undefined, 'the task should be readable');
  return record;
}

/** Changes the task under `key`, which must be there. */
export async function change(store: TaskStore, key: TaskKey, mutate: (record: TaskRecord) => TaskRecord): Promise<TaskRecord> {
  const record = await store.update(key, mutate);
  assert(record !== undefined, 'the task should be there to update');
  return record;
}

/** By name, so that an error of another copy of the package counts as well. */
export async function rejectsWith(name: string, operation: () => Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([operation()]);
  assert(outcome.status === 'rejected', `it should reject with ${name}, but it resolved`);
  assert.equal((outcome.reason as Error | undefined)?.name, name, `it should reject with ${name}, not ${String(outcome.reason)}`);
  return outcome.reason;
}

/** Asserts that the task under `key` is the same after `operation`, in every member, however the operation ends. */
export async function leavesUntouched({ store, clock }: TaskStoreFixture, key: TaskKey, operation: () => Promise<unknown>): Promise<void> {
  const before = snapshot(await read(store, key));
  // An unwanted write then shows in the time.
  await clock.advance(5);
  await operation();
  assert.deepEqual(await read(store, key), before);
}

/** A copy of the record as it is now. Made by JSON, because some runners do not recognise the objects of `structuredClone` as their own. */
export function snapshot(record: TaskRecord): TaskRecord {
  return JSON.parse(JSON.stringify(record)) as TaskRecord;
}

class RealClock extends SystemClock implements MovableClock {
  async advance(ms: number): Promise<void> {
    await sleep(ms);
  }
}
