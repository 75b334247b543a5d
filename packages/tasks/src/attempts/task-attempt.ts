import { Logger } from '@nestjs/common';
import { McpError } from '@mocapi/core';
import type { ExecutionCarrier, LedgerSnapshot, StepRecorder } from '@mocapi/core/extension';
import { LazySignal } from '@mocapi/core/internal';
import type { RunEntry } from '../nodes/run-entries.js';
import { deadlineOf, type RunToken, type TaskRecord, type TaskView } from '../record/task-record.js';
import { begun, released, trusted } from '../record/run-life.js';
import { isRunBy, settle, withStatusMessage } from '../record/task-transitions.js';
import type { PrincipalQuota } from '../slots/principal-quota.js';
import type { TaskSlot } from '../slots/task-executor.js';
import type { TaskKey } from '../store/task-key.js';
import { AttemptSteps, type AttemptStepsParts } from './attempt-steps.js';
import { waitForStore } from './retrying.js';
import { TaskProgress } from './task-progress.js';

/** Why an attempt was aborted. */
export type TaskAbortReason = 'cancelled' | 'expired' | 'disconnected' | 'lease-lost' | 'shutdown';

/** The start values of an attempt. */
export interface AttemptStart {
  readonly key: TaskKey;
  /** Whom it counts against in limits by caller (see `accountOf`). It is counted already; the attempt ends that with its slot. */
  readonly account: string;
  readonly slot: TaskSlot;
  /** Under which the other nodes know of it. */
  readonly entry: RunEntry;
  /** Another node may begin it again though it has begun here, so nothing is lost when it is aborted. */
  readonly isRepeatable: boolean;
  /** The record says that the body waits, and must be updated when the body starts. */
  readonly isWaiting?: boolean | undefined;
  /** The body was entered before this attempt was made: it asked to become a task. */
  readonly hasBegun?: boolean | undefined;
  /** The status message that a former attempt left: progress does not go back behind it. */
  readonly reported?: string | undefined;
  /** How many suspects begin together, if this is one. */
  readonly group?: (() => number) | undefined;
}

/** Parts that the attempts of a node share. */
export interface TaskAttemptParts extends AttemptStepsParts {
  /** Counts the attempts of each account. */
  readonly quota: Pick<PrincipalQuota, 'remove'>;
}

const logger = new Logger('McpTasks');
/** Shared by all that need not wait. */
const READY = Promise.resolve();

/**
 * One attempt at a task on this node, from its claim to the write that settles it, and what its execution reports to. Every write it makes carries its
 * run token, so after it lost the task it changes nothing.
 */
export class TaskAttempt implements ExecutionCarrier {
  /** Aborted when the body should stop. */
  readonly signal = new LazySignal();
  readonly key: TaskKey;
  readonly token: RunToken;
  readonly account: string;
  readonly entry: RunEntry;
  /** The ledger when it began. */
  readonly ledger: LedgerSnapshot;
  /** The last moment of the task's life, by the `elapsed` of this node's clock; null if it has no end. */
  readonly expiresAt: number | null;
  /** Called once, when it is aborted. */
  onAborted: ((attempt: TaskAttempt) => void) | undefined;
  private hasBegun: boolean;
  private holdsSlot = true;
  private bodyHasEnded = false;
  private progressSink: TaskProgress | undefined;
  private steps: AttemptSteps | undefined;

  constructor(
    record: TaskRecord,
    private readonly start: AttemptStart,
    private readonly parts: TaskAttemptParts,
  ) {
    const deadline = deadlineOf(record);
    this.key = start.key;
    this.token = record.run!;
    this.account = start.account;
    this.entry = start.entry;
    this.ledger = record.ledger;
    // How long it lives is said by the store's clock, which has just stamped the record. This node's clock may differ.
    this.expiresAt = deadline === null ? null : parts.clock.elapsed() + deadline - record.lastUpdatedAt;
    this.hasBegun = start.hasBegun ?? false;
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
  get progress(): TaskProgress {
    return (this.progressSink ??= new TaskProgress(this.parts.clock, {
      maxBytes: this.parts.limits.maxStatusMessageBytes,
      reported: this.start.reported,
      write: (text) => this.writeMidway((record) => withStatusMessage(record, text)),
    }));
  }

  /** Resolves when the attempt may run and the record says so, or when it was aborted and need not run. */
  ready(): Promise<void> {
    if (!this.start.slot.isReady || this.start.isWaiting) return this.waitUntilReady();
    if (!this.signal.aborted) this.hasBegun = true;
    return READY;
  }

  private async waitUntilReady(): Promise<void> {
    await new Promise<void>((resolve) => {
      void this.start.slot.ready.then(resolve);
      this.signal.addEventListener('abort', resolve);
      if (this.signal.aborted) resolve();
    });
    // Before the body starts: if the node dies now, this shows that it may have begun.
    if (this.start.isWaiting && !this.signal.aborted) await this.sayBegun();
    if (!this.signal.aborted) this.hasBegun = true;
  }

  /** Whether another node can go on with it as well as this one. */
  get canBeHandedOver(): boolean {
    return this.start.isRepeatable || !this.hasBegun;
  }

  abort(reason: TaskAbortReason): void {
    if (this.signal.aborted) return;
    this.signal.abort(reason);
    this.onAborted?.(this);
  }

  /** Gives the slot back, and the place among those of its account. Harmless when called again. */
  releaseSlot(): void {
    if (!this.holdsSlot) return;
    this.holdsSlot = false;
    this.start.slot.release();
    this.parts.quota.remove(this.account);
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

  /**
   * The body has ended: its slot is free, however long the store takes, and it reports no more.
   * @returns progress that is not written yet, for the write that settles the attempt
   */
  endBody(): string | undefined {
    this.bodyHasEnded = true;
    this.releaseSlot();
    return this.progressSink?.close();
  }

  /** Writes no progress any more of a body that goes on after its node has left. */
  close(): void {
    this.progress.stop();
  }

  /** Records that the body starts now; returns when that is written, or when the attempt was aborted. */
  private async sayBegun(): Promise<void> {
    for (let round = 0; !this.signal.aborted; round++) {
      try {
        await this.writeMidway((record) => begun(record, this.start.group?.()));
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
