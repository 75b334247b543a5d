import { McpError, type Admitted, type ToolAdmission, type ToolAdmissionState } from '@mocapi/core';
import type { TaskExecutor, TaskSlot } from '../executor/task-executor.js';
import type { TaskAdmissionPolicy } from '../decorators/mcp-task.decorator.js';
import type { TaskDraft, TaskRecord } from '../record/task-record.js';
import { TaskAlreadyExistsError } from '../store/task-store.errors.js';
import { taskKeyOf } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import type { TaskAttempt } from './task-attempt.js';

/** A task that came to be, and the attempt that goes on as its first. */
export interface CreatedTask {
  readonly record: TaskRecord;
  readonly attempt: TaskAttempt;
}

/** What a creation needs of the engine. */
export interface TaskCreationParts {
  readonly when: TaskAdmissionPolicy;
  readonly executor: TaskExecutor;
  readonly store: TaskStore;
  draft(state: ToolAdmissionState): TaskDraft;
  attempt(record: TaskRecord, slot: TaskSlot): TaskAttempt;
}

/** The admission of one call: a place in the queue, then a durable record, then the first attempt. Tells the engine when it has happened. */
export class TaskCreation implements ToolAdmission {
  /** Resolves to the task once it is durable; never settles for a call that did not become one. */
  readonly created: Promise<CreatedTask>;
  private announce!: (created: CreatedTask) => void;
  private admission?: Promise<CreatedTask>;

  constructor(private readonly parts: TaskCreationParts) {
    this.created = new Promise((resolve) => (this.announce = resolve));
  }

  get when(): TaskAdmissionPolicy {
    return this.parts.when;
  }

  async admit(state: ToolAdmissionState): Promise<Admitted> {
    const { attempt } = await (this.admission = this.create(state));
    return { carrier: attempt.carrier, ready: attempt.ready() };
  }

  /** The task, if its creation has begun and succeeds; for a pipeline that ended before its task was durable. */
  async begun(): Promise<CreatedTask | undefined> {
    return this.admission?.catch(() => undefined);
  }

  private async create(state: ToolAdmissionState): Promise<CreatedTask> {
    const slot = this.parts.executor.reserve();
    const draft = this.parts.draft(state);
    try {
      const record = await this.parts.store.create(draft);
      const created = { record, attempt: this.parts.attempt(record, slot) };
      this.announce(created);
      return created;
    } catch (error) {
      slot.release();
      this.discard(draft, error);
      throw error;
    }
  }

  /** A store whose reply was lost may hold the task all the same, which nobody would ever run or ask for. */
  private discard({ principal, taskId }: TaskDraft, error: unknown): void {
    if (error instanceof TaskAlreadyExistsError || error instanceof McpError) return;
    this.parts.store.delete(taskKeyOf(principal, taskId)).catch(() => undefined);
  }
}
