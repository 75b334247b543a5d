import { randomUUID } from 'node:crypto';
import { invalidParams, McpError } from '@mocapi/core';
import type { Admitted, Admission, AdmissionState } from '@mocapi/core/extension';
import { isThenable } from '@mocapi/core/internal';
import type { AttemptStart, TaskAttempt } from '../attempts/task-attempt.js';
import type { TaskAdmissionPolicy } from '../decorators/mcp-task.decorator.js';
import type { RunEntry } from '../nodes/run-entries.js';
import { accountOf, type RunClaim, type TaskRecord } from '../record/task-record.js';
import type { TaskExecutor, TaskSlot } from '../slots/task-executor.js';
import { newTaskId, type TaskKey, taskKeyOf } from '../store/task-key.js';
import { TaskAlreadyExistsError, TaskRecordTooLargeError, TaskStoreUnavailableError } from '../store/task-store.errors.js';
import type { TaskStore } from '../store/task-store.js';
import { draftTask, originOf, type TaskCall } from './task-draft.js';
import type { TaskNode } from './task-node.js';

/** A created task, and the attempt that continues as its first. */
export interface CreatedTask extends Admitted {
  readonly record: TaskRecord;
  readonly attempt: TaskAttempt;
}

/** Parts of the engine that a creation uses. */
export interface TaskCreationParts {
  readonly node: Pick<TaskNode, 'members' | 'runner' | 'quota' | 'unsure' | 'inFlight'>;
  readonly executor: TaskExecutor;
  readonly store: TaskStore;
  /** Version of the handlers that run here. */
  readonly handlerVersion: string;
}

/** The admission of one call: a slot or a place in the queue, then a durable record, then the first attempt. */
export class TaskCreation implements Admission {
  readonly when: TaskAdmissionPolicy;
  private admission: Promise<CreatedTask> | undefined;
  private begun: ((admission: Promise<CreatedTask | undefined>) => void) | undefined;

  constructor(
    private readonly task: TaskCall,
    private readonly parts: TaskCreationParts,
  ) {
    this.when = task.settings.admission;
  }

  admit(state: AdmissionState): Promise<CreatedTask> {
    const admission = this.create(state);
    this.admission = admission;
    this.begun?.(admission.catch(ignore));
    return admission;
  }

  /** Resolves to the task once it is durable, or to undefined when `outcome` settles and it will never be one. Rejects with `outcome`. */
  during(outcome: Promise<unknown>): Promise<CreatedTask | undefined> {
    // Mostly nothing waits before the gate, so it has begun.
    if (this.admission) return this.admission.catch(ignore);
    return new Promise((resolve, reject) => {
      this.begun = resolve;
      outcome.then(() => resolve(undefined), reject);
    });
  }

  private async create(state: AdmissionState): Promise<CreatedTask> {
    const { executor, node } = this.parts;
    // A caller with a principal needs none.
    const origin = state.principal ? undefined : originOf(this.task.context.exchange.request);
    const account = accountOf({ principal: state.principal, origin });
    node.quota.assertRoom(account);
    const slot = executor.reserve({ account });
    node.quota.add(account);
    node.inFlight.begin();
    try {
      const { record, start } = await this.store(state, { slot, origin, account });
      const attempt = node.runner.begin(record, start);
      return { record, attempt, carrier: attempt, ready: attempt.ready() };
    } catch (error) {
      slot.release();
      node.quota.remove(account);
      throw error;
    } finally {
      node.inFlight.end();
    }
  }

  /** Registers the task under this node, then stores it. */
  private async store(
    { principal, ledger }: AdmissionState,
    { slot, origin, account }: { readonly slot: TaskSlot; readonly origin: string | undefined; readonly account: string },
  ): Promise<{ readonly record: TaskRecord; readonly start: AttemptStart }> {
    const { settings, context } = this.task;
    const { node, store, handlerVersion } = this.parts;
    const taskId = newTaskId();
    const key = taskKeyOf(principal, taskId, context.endpoint);
    const entering = node.members.enter(key);
    const entry = isThenable(entering) ? await entering : entering;
    // A body that asked to become a task has begun.
    const hasBegun = this.when === 'manual';
    const isWaiting = !slot.isReady && !hasBegun;
    const claim: RunClaim = { owner: entry.session, id: randomUUID(), ...(isWaiting ? { waiting: true } : {}) };
    const draft = draftTask(this.task, { taskId, principal, origin, ledger, claim, handlerVersion });
    try {
      const record = await store.create(draft);
      return { record, start: { key, account, slot, entry, isRepeatable: settings.recover === 'replay', isWaiting, hasBegun } };
    } catch (error) {
      if (isRefusal(error)) entry.leave();
      else this.discard(key, claim.id, entry);
      throw error instanceof TaskRecordTooLargeError ? tooLarge(error, 'these arguments') : error;
    }
  }

  /** A store whose reply was lost may hold the task all the same, which nobody would ever run or ask for. */
  private discard(key: TaskKey, runId: string, entry: RunEntry): void {
    const { store, node } = this.parts;
    const remove = async (): Promise<void> => {
      await store.delete(key);
      entry.leave();
    };
    remove().catch(() => undefined);
    node.unsure.follow({ key, runId, entry, found: remove });
  }
}

/** A failed admission is the outcome of its call, which tells of it. */
function ignore(): undefined {}

/** Whether the store said that it has not made the task. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TaskStoreUnavailableError) return false;
  return error instanceof TaskAlreadyExistsError || error instanceof TaskRecordTooLargeError || error instanceof McpError;
}

/** The refusal of what a client sent, which the task's record can't hold: trying again does not help. @param what the client has to make smaller */
export function tooLarge({ bytes, maxBytes }: TaskRecordTooLargeError, what: string): McpError {
  return invalidParams(`The task would take ${bytes} bytes with ${what}, but the limit is ${maxBytes}: send less`);
}
