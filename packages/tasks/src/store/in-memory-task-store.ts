import { Logger } from '@nestjs/common';
import { deadlineOf, isAlive } from '../record/task-expiry.js';
import type { TaskDraft, TaskRecord } from '../record/task-record.js';
import { assertTtl, mutated } from './checked-task.js';
import { type Clock, SystemClock } from './clock.js';
import { ExpirySweeper, type Sweepable } from './expiry-sweeper.js';
import { frozenRecord } from './frozen-record.js';
import { InMemoryChangeFeed } from './in-memory-change-feed.js';
import { InMemoryRunIndex } from './in-memory-run-index.js';
import { type TaskKey, taskKeyOf } from './task-key.js';
import { TaskAlreadyExistsError, TaskStoreFullError } from './task-store.errors.js';
import { type TaskMutation, TaskStore } from './task-store.js';

/** How much an in-memory store keeps, and how long. */
export interface InMemoryTaskStoreOptions {
  /** Tasks beyond this are refused, once what expired is removed. Default 100,000. */
  readonly maxRecords?: number;
  /** Whether a task may have no end (`ttlMs: null`). Default false: it would only leave by `delete`. */
  readonly allowUnlimitedTtl?: boolean;
  /** The least time between two removals of what expired. Default one second. It bears on memory alone, not on what can be read. */
  readonly sweepIntervalMs?: number;
}

/** A full store asks to come back within this time, whatever the deadlines: tasks may be deleted before theirs. */
const LONGEST_RETRY_MS = 60_000;

/**
 * Tasks in the memory of this process: lost with it, and seen by no other.
 * Records are serialised once per write and handed out frozen, so reads are free and yet nothing is shared with a caller.
 */
export class InMemoryTaskStore extends TaskStore {
  override readonly changeFeed = new InMemoryChangeFeed();
  override readonly runIndex: InMemoryRunIndex;
  private readonly logger = new Logger(InMemoryTaskStore.name);
  private readonly records = new Map<TaskKey, TaskRecord>();
  private readonly sweeper: ExpirySweeper<TaskKey>;
  private readonly maxRecords: number;
  private readonly allowUnlimitedTtl: boolean;

  constructor(
    private readonly clock: Clock = new SystemClock(),
    options: InMemoryTaskStoreOptions = {},
  ) {
    super();
    this.maxRecords = options.maxRecords ?? 100_000;
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
    const record = frozenRecord({ ...draft, createdAt: now, lastUpdatedAt: now, version: 1 });
    this.makeRoom();
    this.put(key, record);
    return record;
  }

  async get(key: TaskKey): Promise<TaskRecord | undefined> {
    return this.alive(key);
  }

  // Nothing in it waits, so it is one step: no other write can come between reading and writing.
  async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const current = this.alive(key);
    if (current === undefined) return undefined;
    const next = mutated(current, mutate);
    if (next === current) return current;
    assertTtl(next.ttlMs, this.allowUnlimitedTtl);
    const now = this.clock.now();
    const own = { createdAt: current.createdAt, lastUpdatedAt: now, version: current.version + 1 };
    const record = frozenRecord({ ...next, ...own }, current);
    if (!isAlive(record, now)) {
      this.remove(key);
      return undefined;
    }
    this.put(key, record, current);
    return record;
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

  private alive(key: TaskKey): TaskRecord | undefined {
    const record = this.records.get(key);
    if (record === undefined || isAlive(record, this.clock.now())) return record;
    this.remove(key);
    return undefined;
  }

  private put(key: TaskKey, record: TaskRecord, previous?: TaskRecord): void {
    this.records.set(key, record);
    if (record.ttlMs !== previous?.ttlMs) this.sweeper.track(key, deadlineOf(record));
    if (previous !== undefined) this.changeFeed.announce(key, record.version);
  }

  private remove(key: TaskKey): void {
    if (this.records.delete(key)) this.sweeper.untrack();
  }

  private makeRoom(): void {
    if (this.records.size < this.maxRecords) return;
    this.sweeper.sweep();
    if (this.records.size < this.maxRecords) return;
    const untilEarliest = (this.sweeper.earliest ?? Number.POSITIVE_INFINITY) + 1 - this.clock.now();
    throw new TaskStoreFullError(Math.max(1, Math.min(untilEarliest, LONGEST_RETRY_MS)));
  }

  private sweepable(): Sweepable<TaskKey> {
    const { records } = this;
    return {
      get size() {
        return records.size;
      },
      *deadlines() {
        for (const [key, record] of records) yield [key, deadlineOf(record)] as const;
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
