import { ExecutionOverError, type ExecutionCarrier, type LedgerEntry } from '@mocapi/core';
import type { RunToken, TaskRecord } from '../record/task-record.js';
import { isRunBy, settle, withLedgerEntry, withStatusMessage } from '../record/task-transitions.js';
import type { TaskSlot } from '../executor/task-executor.js';
import type { CancelTimer, Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import { TaskProgress } from './task-progress.js';

/** Why an attempt was told to stop. */
export type TaskAbortReason = 'cancelled' | 'expired' | 'disconnected' | 'shutdown';

/** What an attempt writes to and lives by. */
export interface TaskAttemptParts {
  readonly key: TaskKey;
  readonly token: RunToken;
  readonly slot: TaskSlot;
  readonly store: TaskStore;
  readonly clock: Clock;
  /** Epoch milliseconds; undefined is never. */
  readonly deadline: number | undefined;
}

/**
 * One execution of a task on this node, from its claim to the write that settles it. Every write it makes carries its run token, so after it lost the
 * task it changes nothing. It ends once: `close` takes its timers away.
 */
export class TaskAttempt {
  readonly key: TaskKey;
  readonly token: RunToken;
  readonly slot: TaskSlot;
  private readonly controller = new AbortController();
  private readonly progress: TaskProgress;
  private readonly cancelExpiry: CancelTimer | undefined;

  constructor(private readonly parts: TaskAttemptParts) {
    const { key, token, slot, clock, deadline } = parts;
    this.key = key;
    this.token = token;
    this.slot = slot;
    this.progress = new TaskProgress(clock, (text) => this.write((record) => withStatusMessage(record, text)));
    if (deadline !== undefined) this.cancelExpiry = this.expireAt(deadline);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** What the execution reports to: the task's record, through this attempt. */
  get carrier(): ExecutionCarrier {
    return { signal: this.signal, progress: this.progress, recorder: { record: (entry) => this.record(entry) } };
  }

  /** Resolves when the attempt may run, or need not any more because it was told to stop. */
  ready(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      if (this.signal.aborted) resolve();
      else this.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return Promise.race([this.slot.ready, stopped]);
  }

  abort(reason: TaskAbortReason): void {
    if (!this.signal.aborted) this.controller.abort(reason);
  }

  /** Writes, if the task is still this attempt's; resolves to the record as it then is. */
  write(transition: (record: TaskRecord) => TaskRecord): Promise<TaskRecord | undefined> {
    return this.parts.store.update(this.key, (record) => settle(record, this.token, transition));
  }

  /** Reports no progress any more; returns what was not written yet, for the write that ends the execution to carry. */
  stopReporting(): string | undefined {
    return this.progress.close();
  }

  /** Ends the attempt's own timers. */
  close(): void {
    this.cancelExpiry?.();
    this.progress.close();
  }

  private async record(entry: LedgerEntry): Promise<void> {
    const record = await this.write((current) => withLedgerEntry(current, entry));
    if (!record || !isRunBy(record, this.token)) throw new ExecutionOverError('The task is over; the step could not be recorded');
  }

  private expireAt(deadline: number): CancelTimer {
    const { clock } = this.parts;
    let cancel: CancelTimer;
    const arm = (): void => {
      const wait = deadline - clock.now() + 1;
      if (wait <= 0) this.abort('expired');
      else cancel = clock.setTimer(arm, wait);
    };
    cancel = () => undefined;
    arm();
    return () => cancel();
  }
}
