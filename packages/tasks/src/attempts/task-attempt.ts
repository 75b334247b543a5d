import { Logger } from '@nestjs/common';
import { McpError } from '@mocapi/core';
import type { ExecutionCarrier, ProgressSink, StepRecorder } from '@mocapi/core/extension';
import { LazySignal } from '@mocapi/core/internal';
import type { RunEntry } from '../nodes/run-entries.js';
import type { RunToken, TaskRecord, TaskView } from '../record/task-record.js';
import { begun, released, trusted } from '../record/run-life.js';
import { isRunBy, settle, withStatusMessage } from '../record/task-transitions.js';
import type { TaskSlot } from '../slots/task-executor.js';
import type { TaskKey } from '../store/task-key.js';
import type { AttemptDeadlines } from './attempt-deadlines.js';
import { AttemptSteps, type AttemptStepsParts } from './attempt-steps.js';
import { waitForStore } from './retrying.js';
import { TaskProgress } from './task-progress.js';

/** Why an attempt was aborted. */
export type TaskAbortReason = 'cancelled' | 'expired' | 'disconnected' | 'lease-lost' | 'shutdown';

/** Parts of an attempt. */
export interface TaskAttemptParts extends AttemptStepsParts {
  readonly key: TaskKey;
  readonly token: RunToken;
  /** Whom it counts against in limits by caller. */
  readonly account: string;
  readonly slot: TaskSlot;
  /** Under which the other nodes know of it. */
  readonly entry: RunEntry;
  /** Another node may begin it again though it has begun here, so nothing is lost when it is aborted. */
  readonly isRepeatable: boolean;
  /** The body was entered before this attempt was made: it asked to become a task. */
  readonly hasBegun?: boolean | undefined;
  /** The status message that a former attempt left: progress does not go back behind it. */
  readonly reported?: string | undefined;
  /** The record says that the body waits, and must be updated when the body starts. */
  readonly isWaiting?: boolean | undefined;
  /** How many suspects begin together, if this is one. */
  readonly group?: (() => number) | undefined;
  /** How long the task still lives, in milliseconds; undefined is for ever. */
  readonly lifeMs: number | undefined;
  /** Those of all attempts of this node. */
  readonly deadlines: AttemptDeadlines;
}

const logger = new Logger('McpTasks');
/** Shared by all that need not wait. */
const READY = Promise.resolve();

/**
 * One attempt at a task on this node, from its claim to the write that settles it, and what its execution reports to. Every write it makes carries its
 * run token, so after it lost the task it changes nothing. It ends once: `close` takes its timers away.
 */
export class TaskAttempt implements ExecutionCarrier {
  /** Aborted when the body should stop. */
  readonly signal = new LazySignal();
  readonly key: TaskKey;
  readonly token: RunToken;
  readonly account: string;
  readonly slot: TaskSlot;
  readonly entry: RunEntry;
  private hasBegun: boolean;
  private progressSink: TaskProgress | undefined;
  private readonly forgetDeadline: (() => void) | undefined;
  private bodyHasEnded = false;
  private steps: AttemptSteps | undefined;

  constructor(private readonly parts: TaskAttemptParts) {
    const { key, token, account, slot, entry, lifeMs, deadlines } = parts;
    this.key = key;
    this.token = token;
    this.account = account;
    this.slot = slot;
    this.entry = entry;
    this.hasBegun = parts.hasBegun ?? false;
    if (lifeMs !== undefined) this.forgetDeadline = deadlines.watch(lifeMs, () => this.abort('expired'));
  }

  /** Why it was aborted; undefined while it was not. */
  get abortReason(): TaskAbortReason | undefined {
    return this.signal.reason as TaskAbortReason | undefined;
  }

  /** Writes steps into the task's ledger. */
  get recorder(): StepRecorder {
    return (this.steps ??= new AttemptSteps(this, this.parts));
  }

  /** Writes progress to the task's status message. */
  get progress(): ProgressSink {
    return (this.progressSink ??= new TaskProgress(this.parts.clock, {
      maxBytes: this.parts.limits.maxStatusMessageBytes,
      reported: this.parts.reported,
      write: (text) => this.writeMidway((record) => withStatusMessage(record, text)),
    }));
  }

  /** Resolves when the attempt may run and the record says so, or when it was aborted and need not run. */
  ready(): Promise<void> {
    if (!this.slot.isReady || this.parts.isWaiting) return this.waitUntilReady();
    if (!this.signal.aborted) this.hasBegun = true;
    return READY;
  }

  private async waitUntilReady(): Promise<void> {
    await new Promise<void>((resolve) => {
      void this.slot.ready.then(resolve);
      this.signal.addEventListener('abort', resolve);
      if (this.signal.aborted) resolve();
    });
    // Before the body starts: if the node dies now, this shows that it may have begun.
    if (this.parts.isWaiting && !this.signal.aborted) await this.sayBegun();
    if (!this.signal.aborted) this.hasBegun = true;
  }

  /** Whether another node can go on with it as well as this one. */
  get canBeHandedOver(): boolean {
    return this.parts.isRepeatable || !this.hasBegun;
  }

  abort(reason: TaskAbortReason): void {
    this.signal.abort(reason);
  }

  /** Writes, if the task is still this attempt's; resolves to the record as it then is. */
  write(transition: (record: TaskRecord) => TaskRecord): Promise<TaskRecord | undefined> {
    return this.parts.store.update(this.key, (record) => settle(record, this.token, transition));
  }

  /** Says in the record that a last try has run for a time and its node still lives. */
  async trust(): Promise<void> {
    // Without this record the death of the node counts against the task: only a courtesy is lost.
    await this.writeMidway((record) => trusted(record)).catch(() => undefined);
  }

  /** Says in the record that this node gives the task up. The entry stands, for the others to find. */
  async release(): Promise<void> {
    await this.write((record) => released(record, this.token, this.hasBegun ? 'begun' : 'unbegun'));
  }

  /**
   * Aborts the attempt if `record`, its task as just read, is gone, cancelled or run by another attempt. Does nothing
   * once the body has ended.
   */
  abortIfLost(record: TaskView | undefined): void {
    if (this.bodyHasEnded) return;
    if (record === undefined) this.abort('expired');
    else if (!isRunBy(record, this.token)) this.abort(record.status === 'cancelled' ? 'cancelled' : 'lease-lost');
  }

  /** Stops reporting progress; returns the unwritten progress, for the write that settles the attempt. */
  stopReporting(): string | undefined {
    this.bodyHasEnded = true;
    return this.progressSink?.close();
  }

  /** Ends the attempt's own timers. */
  close(): void {
    this.forgetDeadline?.();
    this.progressSink?.close();
  }

  /** Records that the body starts now; returns when that is written, or when the attempt was aborted. */
  private async sayBegun(): Promise<void> {
    for (let round = 0; !this.signal.aborted; round++) {
      try {
        await this.writeMidway((record) => begun(record, this.parts.group?.()));
        return;
      } catch (error) {
        if (!(error instanceof McpError) && round === 0) logger.error(`A task waits because its record can't be written: ${String(error)}`);
      }
      await waitForStore(this.parts, round, this.signal);
    }
  }

  /** A write that is not the last one: the record that comes back decides whether to continue. */
  private async writeMidway(transition: (record: TaskRecord) => TaskRecord): Promise<TaskRecord | undefined> {
    const record = await this.write(transition);
    this.abortIfLost(record);
    return record;
  }
}
