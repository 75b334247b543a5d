import { getHeapStatistics } from 'node:v8';
import { Logger } from '@nestjs/common';
import type { LedgerEntry, MaybePromise } from '@mocapi/core/extension';
import { accountOf, deadlineOf, isAlive, type RunToken, type TaskDraft, type TaskRecord, type TaskView } from '../record/task-record.js';
import { isRunBy } from '../record/task-transitions.js';
import { DEFAULT_MAX_RECORD_BYTES, DEFAULT_MAX_STORED_PER_PRINCIPAL } from '../options/task-store-bounds.js';
import { type TaskMutation, TaskStore } from './task-store.js';
import { assertKnownFormat, assertTtl, mutated } from './checked-task.js';
import { type Clock, SystemClock } from './clock.js';
import { ExpirySweeper, type Sweepable } from './deadlines.js';
import { frozenLedgerWith, frozenRecord } from './frozen-record.js';
import { InMemoryChangeFeed } from './in-memory-change-feed.js';
import { InMemoryRunIndex } from './in-memory-run-index.js';
import { type TaskKey, taskKeyOf } from './task-key.js';
import { EMPTY_RECORD, type Size, Tally } from './record-size.js';
import { SharedFacts } from './shared-facts.js';
import { StoredUsage, type StoredUsageBounds } from './stored-usage.js';
import { TaskAlreadyExistsError, TaskQuotaError, TaskRecordTooLargeError, TaskStoreFullError } from './task-store.errors.js';

/** How much an in-memory store keeps, and how long. */
export interface InMemoryTaskStoreOptions {
  /** Tasks beyond this are refused, once what expired is removed. Default 100,000. */
  readonly maxRecords?: number;
  /** Tasks of one caller, those that have ended included. Default 10,000, and at most a tenth of `maxRecords`. */
  readonly maxStoredPerPrincipal?: number;
  /** Bytes of one record as JSON. Default 4 MiB. */
  readonly maxRecordBytes?: number;
  /** Bytes of memory that all records may take, roughly; new tasks have three quarters of it. Default an eighth of the heap that the process may use. */
  readonly maxBytes?: number;
  /** The same for the records of one caller. Default a quarter of `maxBytes`. */
  readonly maxBytesPerPrincipal?: number;
  /** Whether a task may have no end (`ttlMs: null`). Default false: it would only leave by `delete`. */
  readonly allowUnlimitedTtl?: boolean;
  /** The least time between two removals of what expired. Default one second. It bears on memory alone, not on what can be read. */
  readonly sweepIntervalMs?: number;
}

interface Held {
  readonly record: TaskRecord;
  readonly size: Size;
  /** The keys of the ledger, from the first step of a run on, so that a step costs the same however many there are. */
  readonly keys?: Set<string>;
}

/** A full store asks to come back within this time, whatever the deadlines: tasks may be deleted before theirs. */
const LONGEST_RETRY_MS = 60_000;

/**
 * Tasks in the memory of this process: lost with it, and seen by no other.
 * Records are copied once per write and handed out frozen, so reads are free and yet nothing is shared with a caller.
 */
export class InMemoryTaskStore extends TaskStore {
  override readonly changeFeed = new InMemoryChangeFeed();
  override readonly runIndex: InMemoryRunIndex;
  private readonly logger = new Logger(InMemoryTaskStore.name);
  private readonly records = new Map<TaskKey, Held>();
  private readonly facts = new SharedFacts();
  private readonly sweeper: ExpirySweeper<TaskKey>;
  private readonly maxRecordBytes: number;
  private readonly usage: StoredUsage;
  private readonly allowUnlimitedTtl: boolean;

  constructor(
    private readonly clock: Clock = new SystemClock(),
    options: InMemoryTaskStoreOptions = {},
  ) {
    super();
    this.maxRecordBytes = options.maxRecordBytes ?? DEFAULT_MAX_RECORD_BYTES;
    this.usage = new StoredUsage(resolveBounds(options));
    this.allowUnlimitedTtl = options.allowUnlimitedTtl ?? false;
    this.runIndex = new InMemoryRunIndex();
    this.sweeper = new ExpirySweeper(clock, this.sweepable(), options.sweepIntervalMs ?? 1000);
  }

  /** How many records are held, expired ones that were not yet removed included. */
  get size(): number {
    return this.records.size;
  }

  async create(draft: TaskDraft): Promise<TaskRecord> {
    const key = taskKeyOf(draft.principal, draft.taskId, draft.endpoint);
    assertTtl(draft.ttlMs, this.allowUnlimitedTtl);
    if (this.alive(key) !== undefined) throw new TaskAlreadyExistsError(key);
    const now = this.clock.now();
    const size = new Tally(EMPTY_RECORD);
    const record = frozenRecord(draft, { createdAt: now, lastUpdatedAt: now, version: 1 }, { tally: size, facts: this.facts });
    this.makeRoom(record, size);
    this.put(key, { record, size });
    return record;
  }

  async get(key: TaskKey): Promise<TaskRecord | undefined> {
    return assertKnownFormat(this.alive(key)?.record);
  }

  /** The same as `view`, and at once unless a subclass reads in its own way. */
  peek(key: TaskKey): MaybePromise<TaskView | undefined> {
    const own = InMemoryTaskStore.prototype;
    return this.get === own.get && this.view === own.view ? assertKnownFormat(this.alive(key)?.record) : this.view(key);
  }

  // Nothing in it waits, so it is one step: no other write can come between reading and writing.
  async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const held = this.alive(key);
    if (held === undefined) return undefined;
    const current = held.record;
    const next = mutated(current, mutate);
    if (next === current) return current;
    assertTtl(next.ttlMs, this.allowUnlimitedTtl);
    const now = this.clock.now();
    const stamp = { createdAt: current.createdAt, lastUpdatedAt: now, version: current.version + 1 };
    const size = new Tally(held.size);
    const record = frozenRecord(next, stamp, { previous: current, tally: size });
    if (!isAlive(record, now)) {
      this.remove(key);
      return undefined;
    }
    this.makeRoom(record, size, held.size);
    this.put(key, { record, size }, held);
    return record;
  }

  /** The same as by default, but without a look at every entry of the ledger. */
  override async recordEntry(key: TaskKey, token: RunToken, entry: LedgerEntry): Promise<boolean> {
    const held = this.alive(key);
    if (held === undefined || !isRunBy(held.record, token)) return false;
    const keys = held.keys ?? keysOf(held.record);
    if (keys.has(entry.key)) return super.recordEntry(key, token, entry);
    const size = new Tally(held.size);
    const ledger = frozenLedgerWith(entry, held.record.ledger, size);
    const stamp = { createdAt: held.record.createdAt, lastUpdatedAt: this.clock.now(), version: held.record.version + 1 };
    const record = frozenRecord(held.record, stamp, { previous: held.record, tally: size, ledger });
    this.makeRoom(record, size, held.size);
    this.put(key, { record, size, keys }, held);
    keys.add(entry.key);
    return true;
  }

  async delete(key: TaskKey): Promise<void> {
    this.remove(key);
  }

  /** Stops removing what expired, and leaves no timer. The store can still be read and written. */
  close(): void {
    this.sweeper.close();
  }

  /** Nest calls it when the application ends. */
  onApplicationShutdown(): void {
    this.close();
  }

  private alive(key: TaskKey): Held | undefined {
    const held = this.records.get(key);
    if (held === undefined || isAlive(held.record, this.clock.now())) return held;
    this.remove(key);
    return undefined;
  }

  private put(key: TaskKey, held: Held, previous?: Held): void {
    const { record, size } = held;
    this.records.set(key, held);
    this.usage.change(accountOf(record), { count: previous ? 0 : 1, bytes: size.memory - (previous?.size.memory ?? 0) });
    if (record.ttlMs !== previous?.record.ttlMs) this.sweeper.track(key, deadlineOf(record));
    if (previous !== undefined) this.changeFeed.announce(key, record.version);
  }

  private remove(key: TaskKey): void {
    const held = this.records.get(key);
    if (held === undefined) return;
    this.records.delete(key);
    this.usage.change(accountOf(held.record), { count: -1, bytes: -held.size.memory });
    this.sweeper.untrack();
  }

  /** Refuses a record that is too large or has no room, once what expired is removed. @param former the size of the record before */
  private makeRoom(record: TaskRecord, size: Size, former?: Size): void {
    if (size.json > this.maxRecordBytes) throw new TaskRecordTooLargeError(size.json, this.maxRecordBytes);
    const account = accountOf(record);
    if (this.usage.refusal(account, size, former) === undefined) return;
    this.sweeper.sweep();
    const refusal = this.usage.refusal(account, size, former);
    if (refusal === undefined) return;
    const untilEarliest = (this.sweeper.earliest ?? Number.POSITIVE_INFINITY) + 1 - this.clock.now();
    const retryAfterMs = Math.max(1, Math.min(untilEarliest, LONGEST_RETRY_MS));
    throw refusal === 'caller' ? new TaskQuotaError(retryAfterMs) : new TaskStoreFullError(retryAfterMs);
  }

  private sweepable(): Sweepable<TaskKey> {
    const { records } = this;
    return {
      entries: records,
      *deadlines() {
        for (const [key, { record }] of records) yield [key, deadlineOf(record)] as const;
      },
      expire: (key) => {
        try {
          this.alive(key);
        } catch (error) {
          // One entry that can't be read must not keep all the others in memory.
          this.logger.warn(`Removed a malformed task record: ${String(error)}`);
          records.delete(key);
        }
      },
    };
  }
}

/** The default share of the heap for records: running tasks and reads need the rest. */
const HEAP_PART = 8;
/** The default share of one caller. */
const CALLERS_PART = { records: 10, bytes: 4 } as const;

function resolveBounds(options: InMemoryTaskStoreOptions): StoredUsageBounds {
  const { maxRecords = 100_000, maxBytes = Math.floor(getHeapStatistics().heap_size_limit / HEAP_PART) } = options;
  const tenth = Math.ceil(maxRecords / CALLERS_PART.records);
  return {
    maxRecords,
    maxStoredPerPrincipal: options.maxStoredPerPrincipal ?? Math.min(DEFAULT_MAX_STORED_PER_PRINCIPAL, tenth),
    maxBytes,
    maxBytesPerPrincipal: options.maxBytesPerPrincipal ?? Math.floor(maxBytes / CALLERS_PART.bytes),
  };
}

/** Whether other nodes can have a part in the tasks of the store. */
export function isShared(store: TaskStore): boolean {
  return store.runIndex !== undefined && !(store instanceof InMemoryTaskStore);
}

/** @throws TaskFormatError when this version does not know the record */
function keysOf(record: TaskRecord): Set<string> {
  return new Set(assertKnownFormat(record).ledger.map(({ key }) => key));
}
