import { setTimeout as sleep } from 'node:timers/promises';
import {
  cancelled,
  completed,
  isTerminal,
  settle,
  takenOver,
  type RunToken,
  type TaskKey,
  type TaskRecord,
  type TaskStore,
} from '@mocapi/tasks';
import { until } from '@mocapi/redis-harness';
import type { Cleanup } from '../../support/cleanup.js';
import { markedOnce } from './marks.js';
import { type StoreCall, StoreHistory } from './store-history.js';

/** What writes, and how much at once. */
export interface WorkloadOptions {
  /** The stores of several nodes; each gets `writersPerStore` writers. */
  readonly stores: readonly TaskStore[];
  /** How many tasks live at once. */
  readonly tasks: number;
  readonly writersPerStore: number;
}

/** After so many writes a task is ended, by several writers at once, and another one takes its place. */
const WRITES_PER_TASK = 40;
/** A writer that was told of a failure goes on after so long. */
const PACE_AFTER_FAILURE_MS = 5;

const PATIENCE_MS = 60_000;

interface Slot {
  key?: TaskKey | undefined;
  /** What a task's run was some time ago: what a zombie would hold. */
  old?: RunToken | undefined;
  renewing?: Promise<unknown> | undefined;
}

/** Writers that go on until they are told to stop: they mark, claim, write under old fences, end and create tasks, several at each task. */
export class StoreWorkload {
  readonly history = new StoreHistory();
  private readonly slots: Slot[];
  private readonly running: Promise<unknown>;
  private readonly ending = new AbortController();
  private count = 0;

  private constructor({ stores, tasks, writersPerStore }: WorkloadOptions) {
    this.slots = Array.from({ length: tasks }, () => ({}));
    const writers = stores.flatMap((store) => Array.from({ length: writersPerStore }, () => store));
    this.running = Promise.all(writers.map((store, index) => this.work(store, index)));
  }

  /** Begins; it is stopped by `cleanup`, too. */
  static start(cleanup: Cleanup, options: WorkloadOptions): StoreWorkload {
    return cleanup.add(new StoreWorkload(options), (workload) => workload.stop());
  }

  /** Resolves once so many more calls were acknowledged. Rejects if that takes longer than a minute. */
  async more(calls: number): Promise<void> {
    const from = this.history.acknowledged;
    await until(`${calls} more calls are acknowledged`, () => this.history.acknowledged >= from + calls, PATIENCE_MS);
  }

  /** Stops it. Resolves when what was begun has ended. */
  async stop(): Promise<StoreHistory> {
    this.ending.abort();
    await this.running;
    return this.history;
  }

  private async work(store: TaskStore, first: number): Promise<void> {
    for (let turn = first; !this.ending.signal.aborted; turn++) {
      const slot = this.slots[turn % this.slots.length]!;
      const call = await (slot.key === undefined ? this.renew(store, slot) : this.write(store, slot, slot.key));
      if (call?.error !== undefined) await sleep(PACE_AFTER_FAILURE_MS);
    }
  }

  private async renew(store: TaskStore, slot: Slot): Promise<StoreCall | undefined> {
    if (slot.renewing !== undefined) return void (await slot.renewing);
    const created = this.history.create(store);
    slot.renewing = created;
    const call = await created;
    slot.renewing = undefined;
    if (call.told === 'won') Object.assign(slot, { key: call.key, old: call.record?.run });
    return call;
  }

  private async write(store: TaskStore, slot: Slot, key: TaskKey): Promise<StoreCall> {
    const { mark, change } = this.next(slot);
    const call = await this.history.write(store, { key, mark }, change);
    if (slot.key !== key) return call;
    if (call.told === 'gone' || (call.record && isTerminal(call.record.status))) slot.key = undefined;
    else slot.old ??= call.record?.run;
    return call;
  }

  private next(slot: Slot): { mark: string; change: (record: TaskRecord) => TaskRecord } {
    const id = `${(this.count += 1)}`;
    const { old } = slot;
    if (this.count % 5 === 0) return { mark: `claim:${id}`, change: (record) => ended(record, id) ?? claimed(record, `claim:${id}`) };
    if (this.count % 5 === 1 && old !== undefined) {
      slot.old = undefined;
      const mark = `fence ${old.fence}:${id}`;
      return { mark, change: (record) => settle(record, old, (current) => markedOnce(current, mark)) };
    }
    return { mark: id, change: (record) => ended(record, id) ?? markedOnce(record, id) };
  }
}

function claimed(record: TaskRecord, mark: string): TaskRecord {
  const marked = markedOnce(record, mark);
  return record.run && marked !== record ? takenOver(marked, record.run, { owner: 'node', id: mark }) : record;
}

/** The end of a task that was written to often enough; undefined of one that goes on. */
function ended(record: TaskRecord, id: string): TaskRecord | undefined {
  if (record.ledger.length < WRITES_PER_TASK) return undefined;
  const last = markedOnce(record, id);
  // One that has ended already is asked to end again, which must have no effect.
  if (last === record && !isTerminal(record.status)) return record;
  return Number(id) % 2 === 0 ? cancelled(last) : completed(last, { resultType: 'complete', content: [{ type: 'text', text: id }] });
}
