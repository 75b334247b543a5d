import { Logger } from '@nestjs/common';
import { ErrorCode, McpError, type ToolOutcome } from '@mocapi/core';
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

/** Milliseconds before each further try of a write that ends an execution, when the store fails. */
const SETTLE_RETRIES_MS = [100, 400, 1600];

/** Makes attempts and brings their outcomes into the record. */
export class AttemptRunner {
  private readonly logger = new Logger('McpTasks');

  constructor(private readonly parts: AttemptRunnerParts) {}

  /** The attempt that `record.run` stands for, holding `slot`. */
  begin(record: TaskRecord, slot: TaskSlot): TaskAttempt {
    const { store, clock } = this.parts;
    const { id, fence } = record.run!;
    const key = taskKeyOf(record.principal, record.taskId);
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
    const lastProgress = attempt.close();
    if (isInterrupted(attempt, outcome)) return;
    const stored = await this.store(attempt, settleOutcome(outcome, lastProgress));
    // What the store refuses for good must not leave the task at work until it expires.
    if (!stored) await this.store(attempt, settleOutcome(notStored(), lastProgress));
  }

  /** Whether the write got through, after a few tries. */
  private async store(attempt: TaskAttempt, transition: (record: TaskRecord) => TaskRecord): Promise<boolean> {
    for (const wait of [0, ...SETTLE_RETRIES_MS]) {
      if (wait > 0) await this.pause(wait);
      try {
        await attempt.write(transition);
        return true;
      } catch (error) {
        this.logger.error('The outcome of a task could not be stored', error instanceof Error ? error.stack : undefined);
      }
    }
    return false;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.parts.clock.setTimer(resolve, ms));
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
