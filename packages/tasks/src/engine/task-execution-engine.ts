import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import {
  ErrorCode,
  McpError,
  ResolvedMcpOptions,
  ToolCalls,
  conformingAnswers,
  type DispatchContext,
  type JsonObject,
  type McpResult,
  type ToolCallTarget,
  type ToolInvocation,
  type ToolOutcome,
} from '@mocapi/core';
import { TaskExecutor } from '../executor/task-executor.js';
import type { TaskSettings } from '../settings/task-settings.js';
import { ResolvedTasksOptions } from '../options/resolve-tasks-options.js';
import { applyAnswers } from '../record/apply-answers.js';
import type { RunClaim, TaskRecord } from '../record/task-record.js';
import { cancelled } from '../record/task-transitions.js';
import { toCreateTaskResult } from '../record/to-create-task-result.js';
import { Clock } from '../store/clock.js';
import { newTaskId, taskKeyOf, type TaskKey } from '../store/task-key.js';
import { TaskStore, type TaskMutation } from '../store/task-store.js';
import { AttemptRunner } from './attempt-runner.js';
import { inRootContext } from './root-context.js';
import { RunningAttempts, type PendingClaim } from './running-attempts.js';
import type { TaskAttempt } from './task-attempt.js';
import { TaskCreation, type CreatedTask } from './task-creation.js';
import { draftTask, envelopeOf } from './task-draft.js';

/** A tool call that may become a task. */
export interface TaskCall {
  readonly context: DispatchContext;
  readonly call: ToolCallTarget;
  readonly settings: TaskSettings;
}

/** How long the end of the application waits for bodies that were told to stop. */
const SHUTDOWN_GRACE_MS = 2000;

/**
 * Creates, resumes, cancels and settles tasks. What a task is lives in the store; here are only the attempts that run on this node.
 * An execution begins in two ways, by a call that is admitted (`start`) and by answers that leave nothing open (`update`), and ends in one: its
 * outcome is written under its run token, or changes nothing because the task is no longer its own.
 */
@Injectable()
export class TaskExecutionEngine implements BeforeApplicationShutdown {
  /** This node, as the owner of its runs. */
  private readonly owner = randomUUID();
  private readonly running: RunningAttempts;
  private readonly runner: AttemptRunner;

  constructor(
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(TaskExecutor) private readonly executor: TaskExecutor,
    @Inject(Clock) clock: Clock,
    @Inject(ResolvedTasksOptions) { abandonAfterMs }: ResolvedTasksOptions,
    @Inject(ResolvedMcpOptions) private readonly server: ResolvedMcpOptions,
  ) {
    this.running = new RunningAttempts({ executor, clock, abandonAfterMs });
    this.runner = new AttemptRunner({ store, clock, running: this.running });
  }

  /** Runs a call that may become a task, and answers it: with the task if it became one, else as the synchronous call would have been. */
  async start(task: TaskCall): Promise<McpResult> {
    const { context, call, settings } = task;
    const creation = this.creationOf(task);
    const wire = this.calls.wire.invocation(context, call);
    // At the start nothing was asked yet, so whatever answers the call brings along answer nothing.
    const invocation = settings.admission === 'start' ? { ...wire, ledger: [] } : wire;
    const outcome = this.calls.invoker.invoke({ ...invocation, admission: creation });
    const created = await Promise.race([creation.created, outcome.then(() => creation.begun())]);
    if (!created) return this.calls.wire.reply(context, call, await outcome);
    return this.answerWithTask(context, created, outcome);
  }

  /** Answers of a client. The task goes on when none of its questions is left open; whatever answers nothing is ignored. */
  async update(record: TaskRecord, responses: JsonObject, context: DispatchContext): Promise<void> {
    const open = record.ledger.filter(({ key }) => record.inputRequests && Object.hasOwn(record.inputRequests, key));
    const answers = conformingAnswers(open, responses);
    if (Object.keys(answers).length === 0) return;
    const claim = this.claim();
    const key = this.keyOf(record);
    await this.running.claim(key, async (pending) => {
      const answered = await this.commit(key, (current) => applyAnswers(current, answers, claim), claim);
      if (answered?.run?.id === claim.id) inRootContext(() => this.resume(answered, context, pending));
    });
  }

  /** Cancels a task: at once in its record, and cooperatively in its body. A task that has ended stays as it is. */
  async cancel(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await this.store.update(key, (current) => cancelled(current));
    if (record?.status === 'cancelled') this.running.abort(key, 'cancelled');
    return record;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running.shutdown(SHUTDOWN_GRACE_MS);
  }

  private creationOf({ context, call, settings }: TaskCall): TaskCreation {
    const handlerVersion = this.server.serverInfo.version;
    return new TaskCreation({
      when: settings.admission,
      executor: this.executor,
      store: this.store,
      draft: ({ ledger, principal }) =>
        draftTask({
          taskId: newTaskId(),
          call,
          envelope: context.envelope,
          settings,
          principal,
          ledger,
          claim: this.claim(),
          handlerVersion,
          endpoint: context.endpoint,
        }),
      attempt: (record, slot) => this.runner.begin(record, slot),
    });
  }

  private answerWithTask({ exchange }: DispatchContext, { record, attempt }: CreatedTask, outcome: Promise<ToolOutcome>): McpResult {
    this.runner.follow(attempt, outcome);
    exchange.delivery.onSettled((reached) => {
      if (!reached) this.discard(attempt);
    });
    return toCreateTaskResult(record);
  }

  /** The client never learned the task's id: nobody can ever ask for it. */
  private discard(attempt: TaskAttempt): void {
    attempt.abort('disconnected');
    // A record that could not be deleted goes with its ttl.
    this.store.delete(attempt.key).catch(() => undefined);
  }

  private resume(record: TaskRecord, context: DispatchContext, { aborted }: PendingClaim): void {
    const attempt = this.runner.begin(record, this.executor.reserve({ resumed: true }));
    if (aborted) attempt.abort(aborted);
    this.runner.follow(attempt, this.execute(attempt, this.resumption(record, { attempt, context })));
  }

  private async execute(attempt: TaskAttempt, invocation: ToolInvocation | undefined): Promise<ToolOutcome> {
    if (!invocation) return interrupted();
    await attempt.ready();
    return this.calls.invoker.invoke(invocation);
  }

  /** The next execution of a task: guards run again, as the caller who answered. Undefined when this node has no such tool. */
  private resumption(
    record: TaskRecord,
    { attempt, context }: { attempt: TaskAttempt; context: DispatchContext },
  ): ToolInvocation | undefined {
    const tool = this.calls.registry.get(record.toolName);
    if (!tool) return undefined;
    return {
      tool,
      arguments: record.arguments,
      ledger: record.ledger,
      envelope: envelopeOf(record),
      principal: context.principal ?? null,
      trigger: 'update',
      isTask: true,
      request: context.exchange.request,
      carrier: attempt.carrier,
    };
  }

  /** A write whose reply was lost may have been made all the same: what the record says, and nothing else, tells whether it was. */
  private async commit(key: TaskKey, mutate: TaskMutation, claim: RunClaim): Promise<TaskRecord | undefined> {
    try {
      return await this.store.update(key, mutate);
    } catch (error) {
      const record = await this.store.get(key).catch(() => undefined);
      if (record?.run?.id === claim.id) return record;
      throw error;
    }
  }

  private claim(): RunClaim {
    return { owner: this.owner, id: randomUUID() };
  }

  private keyOf(record: TaskRecord): TaskKey {
    return taskKeyOf(record.principal, record.taskId, record.endpoint);
  }
}

function interrupted(): ToolOutcome {
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Task interrupted') };
}
