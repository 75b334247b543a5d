import { invalidParams, McpError, type McpPrincipal } from '@mocapi/core';
import type { Admitted, DispatchContext, HandlerAdmission, HandlerAdmissionState, ToolCallTarget } from '@mocapi/core/extension';
import { TaskAlreadyExistsError, TaskRecordTooLargeError, TaskStoreUnavailableError } from '../store/task-store.errors.js';
import type { TaskSettings } from '../settings/task-settings.js';
import type { PrincipalQuota } from '../slots/principal-quota.js';
import type { TaskExecutor, TaskSlot } from '../slots/task-executor.js';
import type { TaskAdmissionPolicy } from '../decorators/mcp-task.decorator.js';
import type { RunEntry } from '../nodes/run-entries.js';
import type { TaskDraft, TaskRecord } from '../record/task-record.js';
import { accountOf } from '../record/task-account.js';
import { taskKeyOf } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import type { InFlight } from '../attempts/in-flight.js';
import type { TaskAttempt } from '../attempts/task-attempt.js';
import type { UnsureWrites } from '../attempts/unsure-writes.js';

/** A created task, and the attempt that continues as its first. */
export interface CreatedTask {
  readonly record: TaskRecord;
  readonly attempt: TaskAttempt;
}

/** Parts of the engine that a creation uses. */
export interface TaskCreationParts {
  readonly when: TaskAdmissionPolicy;
  readonly executor: TaskExecutor;
  readonly quota: PrincipalQuota;
  readonly store: TaskStore;
  readonly unsure: UnsureWrites;
  readonly inFlight: InFlight;
  /** Origin of an anonymous caller, as the request shows it. */
  origin(): string | undefined;
  /** Enters the task that is to be under this node. */
  enter(principal: McpPrincipal | undefined): Promise<RunEntry>;
  /** `isQueued`: no place is free yet. */
  draft(
    state: HandlerAdmissionState,
    place: { readonly owner: string; readonly isQueued: boolean; readonly origin: string | undefined },
  ): TaskDraft;
  attempt(record: TaskRecord, place: { readonly slot: TaskSlot; readonly entry: RunEntry }): TaskAttempt;
}

/** The admission of one call: a place in the queue, then a durable record, then the first attempt. Tells the engine when it has happened. */
export class TaskCreation implements HandlerAdmission {
  private created: CreatedTask | undefined;
  private announce: ((created: CreatedTask) => void) | undefined;
  private admission: Promise<CreatedTask> | undefined;

  constructor(private readonly parts: TaskCreationParts) {}

  get when(): TaskAdmissionPolicy {
    return this.parts.when;
  }

  admit(state: HandlerAdmissionState): Promise<Admitted> {
    this.admission = this.create(state);
    return this.admission.then(({ attempt }) => ({ carrier: attempt.carrier, ready: attempt.ready() }));
  }

  /** Resolves to the task once it is durable, or to undefined when `outcome` settles and it will never be one. Rejects with `outcome`. */
  during(outcome: Promise<unknown>): Promise<CreatedTask | undefined> {
    return new Promise((resolve, reject) => {
      this.announce = resolve;
      // A pipeline may end before its task is durable.
      outcome.then(() => resolve(this.admission?.catch(() => undefined)), reject);
      if (this.created) resolve(this.created);
    });
  }

  private async create(state: HandlerAdmissionState): Promise<CreatedTask> {
    const { inFlight } = this.parts;
    // One with a principal needs none.
    const origin = state.principal ? undefined : this.parts.origin();
    const slot = this.reserve(state, origin);
    inFlight.begin();
    try {
      const entry = await this.parts.enter(state.principal);
      const draft = this.parts.draft(state, { owner: entry.session, isQueued: !slot.isReady, origin });
      const record = await this.store(draft, entry);
      this.created = { record, attempt: this.parts.attempt(record, { slot, entry }) };
      this.announce?.(this.created);
      return this.created;
    } catch (error) {
      slot.release();
      throw error;
    } finally {
      inFlight.end();
    }
  }

  private reserve({ principal }: HandlerAdmissionState, origin: string | undefined): TaskSlot {
    const { executor, quota } = this.parts;
    const account = accountOf({ principal, origin });
    quota.assertRoom(account);
    return quota.count(executor.reserve({ account }), account);
  }

  private async store(draft: TaskDraft, entry: RunEntry): Promise<TaskRecord> {
    try {
      return await this.parts.store.create(draft);
    } catch (error) {
      if (isRefusal(error)) entry.leave();
      else this.discard(draft, entry);
      throw error instanceof TaskRecordTooLargeError ? tooLarge(error, 'these arguments') : error;
    }
  }

  /** A store whose reply was lost may hold the task all the same, which nobody would ever run or ask for. */
  private discard({ principal, taskId, endpoint, run }: TaskDraft, entry: RunEntry): void {
    const key = taskKeyOf(principal, taskId, endpoint);
    const remove = async (): Promise<void> => {
      await this.parts.store.delete(key);
      entry.leave();
    };
    remove().catch(() => undefined);
    this.parts.unsure.follow({ key, runId: run!.id, entry, found: remove });
  }
}

/** Whether the store said that it has not made the task. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TaskStoreUnavailableError) return false;
  return error instanceof TaskAlreadyExistsError || error instanceof TaskRecordTooLargeError || error instanceof McpError;
}

/** A tool call that may become a task. */
export interface TaskCall {
  readonly context: DispatchContext;
  readonly call: ToolCallTarget;
  readonly settings: TaskSettings;
}

/** The refusal of what a client sent, which the task's record can't hold: trying again does not help. @param what the client has to make smaller */
export function tooLarge({ bytes, maxBytes }: TaskRecordTooLargeError, what: string): McpError {
  return invalidParams(`The task would take ${bytes} bytes with ${what}, but the limit is ${maxBytes}: send less`);
}
