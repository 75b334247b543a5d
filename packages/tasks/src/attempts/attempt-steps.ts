import { ExecutionOverError, McpError } from '@mocapi/core';
import type { AbortSource, LedgerEntry, LedgerSnapshot, StepRecorder } from '@mocapi/core/extension';
import type { RunToken, TaskView } from '../record/task-record.js';
import type { Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import { TaskRecordTooLargeError } from '../store/task-store.errors.js';
import type { TaskStore } from '../store/task-store.js';
import { waitForStore } from './retrying.js';
import { assertStepFits, jsonBytes, stepTooLarge, type AttemptLimits } from './step-limits.js';

/** The attempt whose steps are recorded. */
export interface StepsOwner {
  readonly key: TaskKey;
  readonly token: RunToken;
  readonly signal: AbortSource;
  /** Aborts the attempt if `record`, the current task, no longer belongs to it. */
  heed(record: TaskView | undefined): void;
}

/** Parts that recording steps needs. */
export interface AttemptStepsParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  /** Bounds of what may be written. */
  readonly limits: AttemptLimits;
  /** The ledger when the attempt began. */
  readonly ledger: LedgerSnapshot;
  /** Whether it is certain, without asking, that nobody took the task from this node. By default it always is. */
  isSure?(): boolean;
}

/** Records the steps of one attempt. While the store is only away for a time the body waits, as long as the attempt may go on. */
export class AttemptSteps implements StepRecorder {
  private ledgerBytes: number | undefined;

  constructor(
    private readonly attempt: StepsOwner,
    private readonly parts: AttemptStepsParts,
  ) {}

  /**
   * Checks whether the task is still this node's before a step begins, if the store was silent for a time: a node that
   * stood still may be considered dead, and the step may already be recorded elsewhere.
   */
  before(): Promise<void> | undefined {
    return (this.parts.isSure?.() ?? true) ? undefined : this.verify();
  }

  /** Writes a step into the record. @throws McpError when it is too large, ExecutionOverError when the task is not this attempt's any more */
  async record(entry: LedgerEntry): Promise<void> {
    this.ledgerBytes ??= jsonBytes(this.parts.ledger);
    this.ledgerBytes = assertStepFits(entry, { ledgerBytes: this.ledgerBytes, limits: this.parts.limits });
    const isOwn = await this.write(entry).catch((error: unknown) => {
      throw error instanceof TaskRecordTooLargeError ? stepTooLarge(entry.key, error) : error;
    });
    if (isOwn) return;
    await this.findOut();
    throw new ExecutionOverError('The task is over; the step could not be recorded');
  }

  private async verify(): Promise<void> {
    const { key, signal } = this.attempt;
    for (let round = 0; !signal.aborted; round++) {
      try {
        this.attempt.heed(await this.parts.store.view(key));
        break;
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
      }
      await waitForStore(this.parts, round, signal);
    }
    if (signal.aborted) throw new ExecutionOverError('The task is over; the step was not started');
  }

  /** Tells the attempt why the task is not its own any more. If that can't be read now, a later check tells it. */
  private async findOut(): Promise<void> {
    try {
      this.attempt.heed(await this.parts.store.view(this.attempt.key));
    } catch {
      // The body is told that the task is over, whatever the reason.
    }
  }

  /** The step is done, so it is written again and again while the attempt may go on. */
  private async write(entry: LedgerEntry): Promise<boolean> {
    const { key, token, signal } = this.attempt;
    for (let round = 0; ; round++) {
      try {
        return await this.parts.store.recordEntry(key, token, entry);
      } catch (error) {
        if (!(error instanceof McpError) || signal.aborted) throw error;
      }
      await waitForStore(this.parts, round, signal);
    }
  }
}
