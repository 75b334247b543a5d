import { Logger } from '@nestjs/common';
import { ErrorCode, McpError } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { NotJsonError } from '@mocapi/core/internal';
import type { NodeMembership } from '../nodes/node-membership.js';
import type { TaskRecord } from '../record/task-record.js';
import type { Clock } from '../store/clock.js';
import { TaskRecordTooLargeError } from '../store/task-store.errors.js';
import type { TaskStore } from '../store/task-store.js';
import { waitForStore } from './retrying.js';
import type { RunningAttempts } from './running-attempts.js';
import type { AttemptLimits } from './step-limits.js';
import { checkedOutcome, settleOutcome } from './settle-outcome.js';
import { type AttemptStart, TaskAttempt, type TaskAbortReason, type TaskAttemptParts } from './task-attempt.js';

/** Parts of the runner of attempts. */
export interface AttemptRunnerParts extends Pick<TaskAttemptParts, 'quota'> {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly running: RunningAttempts;
  readonly limits: AttemptLimits;
  readonly nodes: Pick<NodeMembership, 'session' | 'isSure' | 'leaveBehind'>;
}

/** Makes attempts and brings their outcomes into the record. */
export class AttemptRunner {
  private readonly logger = new Logger('McpTasks');
  /** The store took no outcome the last time, which was logged. */
  private isStoreAway = false;
  private readonly shared: TaskAttemptParts;

  constructor(private readonly parts: AttemptRunnerParts) {
    const { store, clock, limits, quota, nodes } = parts;
    this.shared = { store, clock, limits, quota, isSure: () => nodes.isSure };
  }

  /** Begins the attempt of `record.run`, as `start` says. It is among those that run at once; `follow` it. */
  begin(record: TaskRecord, start: AttemptStart): TaskAttempt {
    const attempt = new TaskAttempt(record, start, this.shared);
    this.parts.running.add(attempt);
    if (start.entry.session !== this.parts.nodes.session) this.disown(attempt);
    return attempt;
  }

  /** The session it was claimed for was given up while the write was under way: the others may have looked for it already, in vain. */
  private disown(attempt: TaskAttempt): void {
    attempt.abort('lease-lost');
    this.parts.nodes.leaveBehind(attempt.entry.session, attempt.key);
  }

  /** Settles the attempt with the outcome that is awaited. Never rejects. */
  async follow(attempt: TaskAttempt, awaited: Promise<CallOutcome>): Promise<void> {
    let outcome: CallOutcome;
    try {
      outcome = await awaited;
    } catch (error) {
      outcome = this.unexpected(error);
    }
    try {
      const lastProgress = attempt.endBody();
      const isInterrupted = attempt.signal.aborted && wasInterrupted(attempt, outcome);
      const isSettled = isInterrupted ? await this.release(attempt) : await this.store(attempt, outcome, lastProgress);
      if (isSettled) attempt.entry.leave();
      else attempt.entry.abandon();
    } catch (error) {
      this.unexpected(error);
    } finally {
      this.parts.running.ended(attempt);
    }
  }

  /** No invocation rejects; if one did, its task must not stay at work until it expires, nor the process end. */
  private unexpected(error: unknown): CallOutcome {
    this.logger.error('An attempt of a task failed unexpectedly', error instanceof Error ? error.stack : undefined);
    return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Internal error') };
  }

  /** Lets the others know that the attempt ended with this node and through no fault of the task. */
  private async release(attempt: TaskAttempt): Promise<false> {
    // A release that is not written costs the task one of its attempts, and nothing else.
    await attempt.release().catch(() => undefined);
    return false;
  }

  /**
   * Writes the outcome, again and again while the store fails and the task may still be written.
   * @returns whether the record is known to need this attempt no more
   */
  private async store(attempt: TaskAttempt, outcome: CallOutcome, lastProgress: string | undefined): Promise<boolean> {
    const { store, limits } = this.parts;
    const { maxStatusMessageBytes } = limits;
    let storable = checkedOutcome(outcome, (why) => this.logger.error(why));
    for (let round = 0; ; round++) {
      try {
        const settling = { token: attempt.token, outcome: storable, lastProgress, maxStatusMessageBytes };
        await store.update(attempt.key, (record) => settleOutcome(record, settling));
        this.isStoreAway = false;
        return true;
      } catch (error) {
        this.noteFailure(error);
        // If the store refuses an outcome permanently, the task must not stay `working` until it expires.
        if (error instanceof NotJsonError) storable = notStored('The result could not be stored');
        if (error instanceof TaskRecordTooLargeError)
          storable = notStored(`${KINDS[storable.kind]} is too large to store: ${error.message}`);
      }
      await waitForStore(this.parts, round, attempt.signal);
      if (attempt.signal.aborted) return hasEnded(attempt);
    }
  }

  /**
   * Logs an outage once, because it concerns every task that ends meanwhile, and a problem with one outcome each time.
   */
  private noteFailure(error: unknown): void {
    if (!(error instanceof McpError)) {
      this.logger.error('The outcome of a task could not be stored', error instanceof Error ? error.stack : undefined);
      return;
    }
    if (!this.isStoreAway) this.logger.warn(`Outcomes of tasks wait until the store accepts them: ${error.message}`);
    this.isStoreAway = true;
  }
}

const KINDS: Record<CallOutcome['kind'], string> = { completed: 'The result', inputRequired: 'The question', failed: 'The error' };

/** Reasons that end this node or its session, but not the task: the node that takes the task over runs it again. */
const BROKEN_OFF: ReadonlySet<TaskAbortReason | undefined> = new Set<TaskAbortReason>(['shutdown', 'lease-lost']);

function wasInterrupted({ abortReason }: TaskAttempt, outcome: CallOutcome): boolean {
  if (!BROKEN_OFF.has(abortReason)) return false;
  return outcome.kind === 'failed' || (outcome.kind === 'completed' && outcome.result.isError === true);
}

/** Whether the reason of the abort also ended the task. */
function hasEnded({ abortReason }: TaskAttempt): boolean {
  return !BROKEN_OFF.has(abortReason);
}

function notStored(message: string): CallOutcome {
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, message) };
}
