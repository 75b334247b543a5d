import { Logger } from '@nestjs/common';
import { ErrorCode, McpError } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { NotJsonError } from '@mocapi/core/internal';
import type { NodeMembership } from '../nodes/node-membership.js';
import type { RunEntry } from '../nodes/run-entries.js';
import { accountOf, deadlineOf, type RunToken, type TaskRecord } from '../record/task-record.js';
import type { TaskSlot } from '../slots/task-executor.js';
import type { Clock } from '../store/clock.js';
import { type TaskKey, taskKeyOf } from '../store/task-key.js';
import { TaskRecordTooLargeError } from '../store/task-store.errors.js';
import type { TaskStore } from '../store/task-store.js';
import { AttemptDeadlines } from './attempt-deadlines.js';
import { waitForStore } from './retrying.js';
import type { RunningAttempts } from './running-attempts.js';
import type { AttemptLimits } from './step-limits.js';
import { cutToBytes } from './task-progress.js';
import { checkedOutcome, settleOutcome } from './settle-outcome.js';
import { TaskAttempt, type TaskAbortReason } from './task-attempt.js';

/** Parts of the runner of attempts. */
export interface AttemptRunnerParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly running: RunningAttempts;
  readonly limits: AttemptLimits;
  readonly nodes: Pick<NodeMembership, 'isOwn' | 'isSure' | 'leaveBehind'>;
}

/** The start values of an attempt. */
export interface AttemptStart {
  /** The task's, where it is known already. */
  readonly key?: TaskKey;
  readonly slot: TaskSlot;
  readonly entry: RunEntry;
  /** Another node may begin it again when this one ends, though it has begun. */
  readonly isRepeatable: boolean;
  /** The record says that the body waits. */
  readonly isWaiting?: boolean | undefined;
  /** The body was entered before. */
  readonly hasBegun?: boolean | undefined;
  /** The status message that a former attempt left. */
  readonly reported?: string | undefined;
  /** How many suspects begin together, if this is one. */
  readonly group?: (() => number) | undefined;
}

/** Makes attempts and brings their outcomes into the record. */
export class AttemptRunner {
  private readonly logger = new Logger('McpTasks');
  /** The store took no outcome the last time, which was logged. */
  private isStoreAway = false;

  private readonly deadlines: AttemptDeadlines;
  private readonly isSure = (): boolean => this.parts.nodes.isSure;

  constructor(private readonly parts: AttemptRunnerParts) {
    this.deadlines = new AttemptDeadlines(parts.clock);
  }

  /** Begins the attempt of `record.run`, as `start` says. */
  begin(record: TaskRecord, start: AttemptStart): TaskAttempt {
    const { store, clock, nodes, limits } = this.parts;
    const { id, fence } = record.run!;
    // By the store's clock, which has just stamped the record. This node's clock may differ.
    const deadline = deadlineOf(record);
    const { key = taskKeyOf(record.principal, record.taskId, record.endpoint) } = start;
    const attempt = new TaskAttempt({
      key,
      token: { id, fence } satisfies RunToken,
      account: accountOf(record),
      slot: start.slot,
      entry: start.entry,
      isRepeatable: start.isRepeatable,
      hasBegun: start.hasBegun,
      reported: start.reported,
      group: start.group,
      store,
      clock,
      limits,
      deadlines: this.deadlines,
      ledger: record.ledger,
      lifeMs: deadline === null ? undefined : deadline - record.lastUpdatedAt,
      isWaiting: start.isWaiting,
      isSure: this.isSure,
    });
    if (!nodes.isOwn(start.entry.session)) this.disown(attempt);
    return attempt;
  }

  /** The session it was claimed for was given up while the write was under way: the others may have looked for it already, in vain. */
  private disown(attempt: TaskAttempt): void {
    attempt.abort('lease-lost');
    this.parts.nodes.leaveBehind(attempt.entry.session, attempt.key);
  }

  /** Keeps the attempt while `outcome` is awaited, then settles it. */
  follow(attempt: TaskAttempt, outcome: Promise<CallOutcome>): void {
    this.parts.running.add(attempt, this.settle(attempt, outcome));
  }

  /** No invocation rejects; if one did, its task must not stay at work until it expires, nor the process end. */
  private unexpected(error: unknown): CallOutcome {
    this.logger.error('An attempt of a task failed unexpectedly', error instanceof Error ? error.stack : undefined);
    return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Internal error') };
  }

  private async settle(attempt: TaskAttempt, awaited: Promise<CallOutcome>): Promise<void> {
    let outcome: CallOutcome;
    try {
      outcome = await awaited;
    } catch (error) {
      outcome = this.unexpected(error);
    }
    // The body has ended: its slot is free, however long the store takes.
    attempt.slot.release();
    const lastProgress = attempt.stopReporting();
    const isInterrupted = attempt.signal.aborted && wasInterrupted(attempt, outcome);
    const isSettled = isInterrupted ? await this.release(attempt) : await this.store(attempt, outcome, lastProgress);
    if (isSettled) attempt.entry.leave();
    else attempt.entry.abandon();
    attempt.close();
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
    let storable = checkedOutcome(outcome, (why) => this.logger.error(why));
    for (let round = 0; ; round++) {
      try {
        const settling = storable;
        await attempt.write((record) => {
          const next = settleOutcome(record, settling, lastProgress);
          return next === record || next.statusMessage === undefined ? next : cutMessage(next, this.parts.limits);
        });
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

function cutMessage(record: TaskRecord, { maxStatusMessageBytes }: AttemptLimits): TaskRecord {
  const statusMessage = cutToBytes(record.statusMessage!, maxStatusMessageBytes);
  return statusMessage === record.statusMessage ? record : { ...record, statusMessage };
}

function notStored(message: string): CallOutcome {
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, message) };
}
