import { Logger } from '@nestjs/common';
import { ErrorCode, McpError, NotJsonError, type ToolOutcome } from '@mocapi/core';
import { deadlineOf } from '../record/task-expiry.js';
import type { RunToken, TaskRecord } from '../record/task-record.js';
import type { TaskSlot } from '../executor/task-executor.js';
import type { Clock } from '../store/clock.js';
import { taskKeyOf } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import type { RunningAttempts } from './running-attempts.js';
import { settleOutcome } from './settle-outcome.js';
import { TaskAttempt, type TaskAbortReason } from './task-attempt.js';

/** What running attempts need. */
export interface AttemptRunnerParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly running: RunningAttempts;
}

/** Milliseconds before each further try of the write that ends an execution, when the store fails; the last one goes on as long as the task lives. */
const SETTLE_RETRIES_MS = [100, 400, 1600, 6400, 30_000];

/** Makes attempts and brings their outcomes into the record. */
export class AttemptRunner {
  private readonly logger = new Logger('McpTasks');

  constructor(private readonly parts: AttemptRunnerParts) {}

  /** The attempt that `record.run` stands for, holding `slot`. */
  begin(record: TaskRecord, slot: TaskSlot): TaskAttempt {
    const { store, clock } = this.parts;
    const { id, fence } = record.run!;
    const key = taskKeyOf(record.principal, record.taskId, record.endpoint);
    return new TaskAttempt({ key, token: { id, fence } satisfies RunToken, slot, store, clock, deadline: deadlineOf(record) ?? undefined });
  }

  /** Keeps the attempt while `outcome` is awaited, then settles it. */
  follow(attempt: TaskAttempt, outcome: Promise<ToolOutcome>): void {
    this.parts.running.add(
      attempt,
      outcome.then((ended) => this.settle(attempt, ended)),
    );
  }

  private async settle(attempt: TaskAttempt, outcome: ToolOutcome): Promise<void> {
    // The body has ended: its place is free, however long the store takes.
    attempt.slot.release();
    const lastProgress = attempt.stopReporting();
    if (!isInterrupted(attempt, outcome)) await this.store(attempt, outcome, lastProgress);
    attempt.close();
  }

  /** Writes the outcome, again and again while the store fails and the task may still be written. */
  private async store(attempt: TaskAttempt, outcome: ToolOutcome, lastProgress: string | undefined): Promise<void> {
    let storable = outcome;
    for (let round = 0; ; round++) {
      try {
        await attempt.write(settleOutcome(storable, lastProgress));
        return;
      } catch (error) {
        this.logger.error('The outcome of a task could not be stored', error instanceof Error ? error.stack : undefined);
        // What the store refuses for good must not leave the task at work until it expires.
        if (error instanceof NotJsonError) storable = notStored();
      }
      await this.pause(SETTLE_RETRIES_MS[Math.min(round, SETTLE_RETRIES_MS.length - 1)]!, attempt.signal);
      if (attempt.signal.aborted) return;
    }
  }

  /** Waits, but not longer than the attempt lives. */
  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.parts.clock.setTimer(done, ms);
      if (signal.aborted) done();
      else signal.addEventListener('abort', done);
    });
  }
}

/** A failure that the end of this node brought about is not the task's: whoever takes the task over runs it again. */
function isInterrupted(attempt: TaskAttempt, outcome: ToolOutcome): boolean {
  const reason = attempt.signal.reason as TaskAbortReason | undefined;
  return reason === 'shutdown' && (outcome.kind === 'failed' || (outcome.kind === 'completed' && outcome.result.isError === true));
}

function notStored(): ToolOutcome {
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'The result could not be stored') };
}
