import { firstRun, taskKeyOf, type TaskRecord, type TaskSlot } from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { type AttemptStart, TaskAttempt, type TaskAttemptParts } from '../../src/attempts/task-attempt.js';
import type { RunEntry } from '../../src/nodes/run-entries.js';
import { deferred, type Deferred } from '../e2e/support/flow.js';
import { WatchedStore } from '../e2e/support/watched-store.js';

/** An attempt of a stored task, and all it stands on. */
export interface AttemptFixture {
  readonly clock: FakeClock;
  readonly store: WatchedStore;
  readonly record: TaskRecord;
  readonly attempt: TaskAttempt;
  /** The values it was made of. */
  readonly start: AttemptStart;
  readonly parts: TaskAttemptParts;
  /** Resolving it makes the attempt's slot ready. */
  readonly slotReady: Deferred;
  /** How often the slot was given back. */
  readonly released: () => number;
}

export interface AttemptFixtureOptions {
  readonly clock?: FakeClock;
  readonly store?: WatchedStore;
  readonly ttlMs?: number;
  readonly isRepeatable?: boolean;
}

/** Bounds that no attempt of these tests meets. */
export const attemptLimits = { maxStepBytes: 2 ** 20, maxLedgerBytes: 2 ** 21, maxStatusMessageBytes: 4096 };

/** The entry of an attempt that no other node is to know of. */
export const unentered: RunEntry = { session: 'node', leave: () => undefined, abandon: () => undefined };

/** A quota that nobody asks. */
export const uncounted = { remove: () => undefined };

export async function attemptFixture(options: AttemptFixtureOptions = {}): Promise<AttemptFixture> {
  const clock = options.clock ?? new FakeClock();
  const store = options.store ?? new WatchedStore(clock);
  const ttlMs = options.ttlMs ?? 60_000;
  const record = await store.create(sampleDraft({ ttlMs, run: firstRun({ owner: 'node', id: `run-${Math.random()}` }) }));
  const slotReady = deferred();
  let released = 0;
  const slot: TaskSlot = { ready: slotReady.promise, release: () => void released++ };
  const key = taskKeyOf(record.principal, record.taskId);
  const isRepeatable = options.isRepeatable ?? false;
  const start: AttemptStart = { key, account: 'anonymous', slot, entry: unentered, isRepeatable };
  const parts: TaskAttemptParts = { store, clock, limits: attemptLimits, quota: uncounted };
  const attempt = new TaskAttempt(record, start, parts);
  return { clock, store, record, start, parts, attempt, slotReady, released: () => released };
}
