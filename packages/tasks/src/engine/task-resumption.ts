import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { ErrorCode, McpError, type ExecutionTrigger, type McpPrincipal } from '@mocapi/core';
import type { CallOutcome, CallRunner, HandlerInvocation } from '@mocapi/core/extension';
import type { PrincipalQuota } from '../slots/principal-quota.js';
import type { LastTryLane, LastTrySlot } from '../slots/last-try-lane.js';
import type { TaskExecutor } from '../slots/task-executor.js';
import type { RunEntry } from '../nodes/run-entries.js';
import { accountOf, type TaskRecord } from '../record/task-record.js';
import { isWaiting, lifeOf, wasTrusted } from '../record/run-life.js';
import { taskKeyOf, type TaskKey } from '../store/task-key.js';
import { taskSettingsOf } from '../settings/task-settings.js';
import type { AttemptRunner } from '../attempts/attempt-runner.js';
import { EarlySlot } from '../slots/early-slot.js';
import type { PendingClaim } from '../attempts/running-attempts.js';
import type { TaskAttempt } from '../attempts/task-attempt.js';
import type { DeployLog } from './deploy-log.js';
import { envelopeOf } from './task-draft.js';

/** Parts of the resumption of stored tasks. */
export interface TaskResumptionParts {
  readonly calls: CallRunner;
  readonly executor: TaskExecutor;
  readonly lane: LastTryLane;
  readonly quota: PrincipalQuota;
  readonly runner: AttemptRunner;
  readonly deploys: DeployLog;
  /** Finds out whether the task is still this node's. */
  check(key: TaskKey): void;
}

/** Cause of the attempt, and the caller that guards see. */
export interface Resumption {
  readonly trigger: ExecutionTrigger;
  readonly principal: McpPrincipal | undefined;
  /** The request that guards see. */
  readonly request: object;
  /** @default 'run' */
  readonly guards?: 'run' | 'skip';
  readonly entry: RunEntry;
  readonly slot: EarlySlot;
  /** Told to stop before it began. */
  readonly pending?: PendingClaim;
}

/** Begins the attempt at a task whose record names this node as the owner of its run. */
export class TaskResumption {
  private readonly logger = new Logger('McpTasks');

  constructor(private readonly parts: TaskResumptionParts) {}

  /** Takes a slot for a task that is about to be claimed. */
  slot(): EarlySlot {
    return new EarlySlot(this.parts.executor, { resumed: true });
  }

  /**
   * Takes a slot within the limits.
   * @throws TaskExecutorFullError if there is none to wait for
   */
  limitedSlot(account: string): EarlySlot {
    this.parts.quota.assertRoom(account);
    return new EarlySlot(this.parts.executor, { account });
  }

  /** Begins the attempt of `record.run`. It runs when it has a slot, and is settled when it has ended. */
  begin(record: TaskRecord, resumption: Resumption): void {
    inRootContext(() => this.beginHere(record, resumption));
  }

  private beginHere(record: TaskRecord, resumption: Resumption): void {
    const { quota, runner, calls } = this.parts;
    const { entry, slot: early, pending } = resumption;
    const account = accountOf(record);
    const run = record.run!;
    const lastTry = lifeOf(run).stage === 'held' ? this.lastTryOf(record, () => attempt) : undefined;
    if (lastTry) early.giveBack();
    const slot = lastTry ?? early.take(account);
    quota.add(account);
    const tool = calls.tools.byKey.get(record.toolName);
    const isRepeatable = tool !== undefined && taskSettingsOf(tool)?.recover === 'replay';
    const reported = resumption.trigger === 'takeover' ? record.statusMessage : undefined;
    const group = lastTry && (() => lastTry.group);
    const key = taskKeyOf(record.principal, record.taskId, record.endpoint);
    const attempt = runner.begin(record, { key, account, slot, entry, isRepeatable, isWaiting: isWaiting(run), reported, group });
    if (pending?.aborted) attempt.abort(pending.aborted);
    void runner.follow(attempt, this.execute(attempt, { lastTry, invocation: this.invocation(record, { attempt, resumption }) }));
    if (pending?.isSuspect) this.parts.check(attempt.key);
  }

  private lastTryOf(record: TaskRecord, attempt: () => TaskAttempt): LastTrySlot {
    const { lane, executor } = this.parts;
    const run = record.run!;
    const account = accountOf(record);
    return lane.reserve({
      limit: run.group,
      reserve: () => executor.reserve({ resumed: true, account }),
      survived: () => {
        void attempt().trust();
        return !wasTrusted(run);
      },
    });
  }

  private async execute(
    attempt: TaskAttempt,
    { invocation, lastTry }: { invocation: HandlerInvocation | undefined; lastTry: LastTrySlot | undefined },
  ): Promise<CallOutcome> {
    if (!invocation) return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Task interrupted') };
    await attempt.ready();
    lastTry?.begun();
    const outcome = await this.parts.calls.run(invocation);
    if (invocation.trigger === 'takeover' && outcome.kind === 'failed') this.noteFailure(invocation, outcome.error);
    return outcome;
  }

  /** Nobody sees a takeover that fails but the client, who does not know why: a guard that wants a token, most of the time. */
  private noteFailure({ target, carrier }: HandlerInvocation, { code, message }: McpError): void {
    if (carrier.signal.aborted) return;
    this.logger.warn(
      `A task of ${target.name} failed when it was taken over: ${code} ${message}. If a guard denied it, let takeovers pass by checking McpExecution.find(context)?.trigger, or set guardsOnTakeover: 'skip'`,
    );
  }

  /** Guards run again, as the caller that `resumption` names. Undefined when this node has no such tool. */
  private invocation(
    record: TaskRecord,
    { attempt, resumption }: { attempt: TaskAttempt; resumption: Resumption },
  ): HandlerInvocation | undefined {
    const tool = this.parts.calls.tools.byKey.get(record.toolName);
    if (!tool) return undefined;
    const { trigger, principal, request, guards = 'run' } = resumption;
    return {
      target: { kind: 'tool', name: tool.name, handler: tool, arguments: record.arguments },
      ledger: record.ledger,
      envelope: envelopeOf(record),
      principal: principal ?? null,
      trigger,
      guards,
      isTask: true,
      request,
      carrier: attempt,
      onDrift: (drift) => this.parts.deploys.drift(record, drift),
    };
  }
}

const root = new AsyncResource('mocapi:task');

/**
 * Runs `start` outside of every async context of the caller: what resumes a task belongs to the task, and must neither see nor keep the
 * context of the request whose answer resumed it.
 */
export function inRootContext<T>(start: () => T): T {
  // A resource of its own: what `start` enters and does not leave (`AsyncLocalStorage.enterWith`) stays with it.
  return root.runInAsyncScope(() => new AsyncResource('mocapi:task').runInAsyncScope(start));
}
