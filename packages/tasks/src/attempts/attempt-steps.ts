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
  /** The ledger when it began. */
  readonly ledger: LedgerSnapshot;
  /** Aborts the attempt if `record`, its task as just read, is gone, cancelled or run by another attempt. */
  abortIfLost(record: TaskView | undefined): void;
}

/** Parts that recording steps needs. */
export interface AttemptStepsParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  /** Bounds of what may be written. */
  readonly limits: AttemptLimits;
  /** Returns true if the node knows, without reading the store, that its tasks are still its own. Without this function it always does. */
  isSure?(): boolean;
}

/** Records the steps of one attempt. While the store does not answer, the body waits for it, until the attempt is aborted. */
export class AttemptSteps implements StepRecorder {
  private ledgerBytes: number | undefined;

  constructor(
    private readonly attempt: StepsOwner,
    private readonly parts: AttemptStepsParts,
  ) {}

  /**
   * Checks before a step whether the task still belongs to this node, unless the node has renewed its lease just now.
   * Other nodes may then consider this node dead, and one of them may have recorded the step already.
   */
  before(): Promise<void> | undefined {
    return (this.parts.isSure?.() ?? true) ? undefined : this.verify();
  }

  /** Writes a step into the record. @throws McpError if it is too large, ExecutionOverError if the task no longer belongs to this attempt */
  async record(entry: LedgerEntry): Promise<void> {
    this.ledgerBytes ??= jsonBytes(this.attempt.ledger);
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
        this.attempt.abortIfLost(await this.parts.store.view(key));
        break;
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
      }
      await waitForStore(this.parts, round, signal);
    }
    if (signal.aborted) throw new ExecutionOverError('The task is over; the step was not started');
  }

  /** Aborts the attempt with the reason for which it lost its task. If the store can't be read now, a later check does it. */
  private async findOut(): Promise<void> {
    try {
      this.attempt.abortIfLost(await this.parts.store.view(this.attempt.key));
    } catch {
      // `record` then throws an ExecutionOverError, which needs no reason.
    }
  }

  /** Retries the write until the attempt is aborted: the step has run, so its result must not be lost. */
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
