import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { JsonObject, McpResult } from '@mocapi/core';
import { CallRunner, type DispatchContext, type HandlerInvocation } from '@mocapi/core/extension';
import { InjectRequired, ResolvedMcpOptions, conformingAnswers } from '@mocapi/core/internal';
import { TaskExecutor } from '../slots/task-executor.js';
import { ResolvedTasksOptions } from '../options/resolve-tasks-options.js';
import { accountOf, type TaskRecord, type TaskView } from '../record/task-record.js';
import { applyAnswers, cancelled } from '../record/task-transitions.js';
import { toCreateTaskResult } from '../record/task-views.js';
import { Clock } from '../store/clock.js';
import { isShared } from '../store/in-memory-task-store.js';
import { taskKeyOf, type TaskKey } from '../store/task-key.js';
import { TaskStore } from '../store/task-store.js';
import { TaskRecordTooLargeError } from '../store/task-store.errors.js';
import { DeployLog } from './deploy-log.js';
import { TaskCreation, type TaskCreationParts, tooLarge } from './task-creation.js';
import type { TaskCall } from './task-draft.js';
import { TaskNode } from './task-node.js';
import { TaskReads } from './task-reads.js';

/**
 * Creates, resumes, cancels and settles tasks. What a task is lives in the store; here are only the attempts that run on this node.
 * An attempt begins in three ways, by a call that is admitted (`start`), by answers that leave nothing open (`update`) and by the death of the node that
 * ran the one before, and ends in one: its outcome is written under its run token, or changes nothing because the task is no longer its own.
 */
@Injectable()
export class TaskExecutionEngine implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  /** Warns of stored tasks that do not fit this version. */
  readonly deploys: DeployLog;
  private readonly node: TaskNode;
  private readonly creation: TaskCreationParts;
  private ending: Promise<void> | undefined;

  constructor(
    @InjectRequired(CallRunner) private readonly calls: CallRunner,
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(TaskExecutor) executor: TaskExecutor,
    @Inject(Clock) clock: Clock,
    @Inject(ResolvedTasksOptions) options: ResolvedTasksOptions,
    @InjectRequired(ResolvedMcpOptions) server: ResolvedMcpOptions,
    @Inject(TaskReads) private readonly reads: TaskReads,
  ) {
    this.deploys = new DeployLog(server);
    const { deploys } = this;
    this.node = new TaskNode({ calls, store, executor, clock, options, deploys, endpoint: server.endpoint, path: server.path });
    this.creation = { node: this.node, executor, store, handlerVersion: server.serverInfo.version };
  }

  /** Runs a call that may become a task, and answers it: with the task if it became one, else as the synchronous call would have been. */
  async start(task: TaskCall): Promise<McpResult> {
    const { context, call, settings } = task;
    const creation = new TaskCreation(task, this.creation);
    const wire = this.calls.invocation(context, call);
    const invocation = settings.admission === 'start' && typeof wire.ledger === 'function' ? withoutOffers(wire, wire.ledger) : wire;
    const outcome = Promise.resolve(this.calls.run({ ...invocation, admission: creation }));
    const created = await creation.during(outcome);
    if (!created) return this.calls.reply(context, call, await outcome);
    const { attempt, record } = created;
    void this.node.runner.follow(attempt, outcome);
    context.exchange.delivery.onSettled((reached) => {
      if (!reached) this.node.discard(attempt);
    });
    return toCreateTaskResult(record);
  }

  /** Looks after a task that was read: one whose node is gone without a trace is begun again, some time soon. Never throws. */
  tend(record: TaskView): void {
    this.node.tend(record);
  }

  /**
   * Applies answers of a client. The task continues when none of its questions is open; answers without a question are
   * ignored.
   * @throws TaskExecutorFullError if it would continue but the queue is full; McpError -32602 if the answers
   * are too large. Nothing is accepted then
   */
  async update(record: TaskRecord, responses: JsonObject, { principal, exchange }: DispatchContext): Promise<void> {
    this.tend(record);
    const open = record.ledger.filter(({ key }) => record.inputRequests && Object.hasOwn(record.inputRequests, key));
    const answers = conformingAnswers(open, responses);
    if (Object.keys(answers).length === 0) return;
    const { claims, resumption } = this.node;
    const key = taskKeyOf(record.principal, record.taskId, record.endpoint);
    const { request } = exchange;
    try {
      // Nodes of a newer version may have tools that this one does not know.
      if (isShared(this.store) && !this.calls.tools.byKey.get(record.toolName))
        return await this.node.passOn(key, (current, claim) => applyAnswers(current, answers, claim));
      const slot = completes(record, answers) ? resumption.limitedSlot(accountOf(record)) : resumption.slot();
      const answering = claims.claim(key, {
        mutate: (current, claim) => applyAnswers(current, answers, slot.marked(claim)),
        won: (answered, won) => resumption.begin(answered, { trigger: 'update', principal, request, slot, ...won }),
      });
      await answering.finally(() => slot.giveBack());
    } catch (error) {
      throw error instanceof TaskRecordTooLargeError ? tooLarge(error, 'these answers') : error;
    } finally {
      this.reads.forget(key);
    }
  }

  /** Cancels a task: at once in its record, and cooperatively in its body, whichever node runs it. A task that has ended stays as it is. */
  async cancel(key: TaskKey): Promise<TaskRecord | undefined> {
    // Whom to tell, and no more: a word to the wrong node does no harm, and one that is missed is made up for by its next check.
    let owner: string | undefined;
    const record = await this.store.update(key, (current) => {
      owner = current.run?.owner;
      return cancelled(current);
    });
    this.reads.forget(key);
    if (record?.status === 'cancelled') this.node.cancel(key, owner);
    return record;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.node.start();
  }

  /** Begins to end. Nest calls it for every module before it waits for the first of them below, so several engines end together. */
  onModuleDestroy(): void {
    this.ending ??= this.node.end();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.onModuleDestroy();
    await this.ending;
  }
}

/**
 * The invocation with the ledger that the request brings, if any, and without the answers that came for no ledger: nothing was asked yet, so they
 * answer nothing.
 */
function withoutOffers(wire: HandlerInvocation, load: Extract<HandlerInvocation['ledger'], Function>): HandlerInvocation {
  return { ...wire, ledger: (caller) => ({ ledger: load(caller).ledger }) };
}

/** Whether no question is left open by `answers`, as the task was when it was read. */
function completes({ inputRequests = {} }: TaskRecord, answers: JsonObject): boolean {
  return Object.keys(inputRequests).every((key) => Object.hasOwn(answers, key));
}
