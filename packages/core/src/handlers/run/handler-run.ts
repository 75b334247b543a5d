import { describeThrown } from '../../errors/thrown.js';
import { loggable } from '../../protocol/texts.js';
import { whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { ClientCapabilities } from '../../protocol/official.js';
import type { Execution, ExecutionStart } from '../../replay/execution.js';
import type { Admission, ExecutionCarrier } from '../../replay/execution-carrier.js';
import type { LedgerDrift } from '../../replay/ledger-drift.js';
import { ReplayExecutor } from '../../replay/replay-executor.js';
import type { ReplayOutcome } from '../../replay/replay-outcome.js';
import { valueOrAnswer } from '../response/answered-response.js';
import { HandlerCall } from './handler-call.js';
import type { PipelineRun, PipelineStart } from './handler-pipeline.js';
import type { PreparedHandler } from '../boot/prepared-handler.js';
import type { ResponseFacade } from '../response/response-facade.js';
import { failedOutcome } from './failed-outcome.js';
import type { Ended, HandlerInvocation, HandlerOutcome } from './invocation.js';
import type { RunParts } from './run-parts.js';

/** The strata around the whole of Nest's pipeline. */
const OUTER = ['correlation', 'observation', 'audit'] as const;

const replay = new ReplayExecutor();

/** One execution of a handler, from its invocation to its outcome. */
export class HandlerRun implements ExecutionStart, PipelineStart {
  private call?: HandlerCall;
  private pipeline?: PipelineRun;
  private facade?: ResponseFacade;

  constructor(
    private readonly parts: RunParts,
    private readonly invocation: HandlerInvocation,
    private readonly prepared: PreparedHandler,
  ) {}

  get request(): object {
    return this.invocation.request;
  }

  get guards(): 'run' | 'skip' {
    return this.invocation.guards ?? 'run';
  }

  get response(): ResponseFacade {
    return (this.facade ??= this.parts.responses.make(this.invocation.responseHeaders));
  }

  get capabilities(): ClientCapabilities {
    return this.invocation.envelope.clientCapabilities;
  }

  get carrier(): ExecutionCarrier {
    return this.invocation.carrier;
  }

  get mayAsk(): boolean {
    const { elicitation, sampling, roots } = this.capabilities;
    return this.prepared.hasContext && (elicitation ?? sampling ?? roots) !== undefined;
  }

  get admission(): Admission | undefined {
    const { admission } = this.invocation;
    return admission && { when: admission.when, admit: (state) => admission.admit({ ...state, principal: this.call?.principal }) };
  }

  get onDrift(): ((drift: LedgerDrift) => void) | undefined {
    return this.invocation.onDrift;
  }

  onUnheardFailure(key: string, error: unknown): void {
    this.parts.logger.warn(
      `${this.where}: step "${loggable(key)}" failed, and nothing awaits it: ${shownError(error)}. Await it, or catch its error`,
    );
  }

  onUnheardBranch(reason: unknown): void {
    this.parts.logger.warn(
      `${this.where}: a branch failed while the handler was suspended, and nothing awaits it. Await it, or catch its error`,
      describeThrown(reason),
    );
  }

  onLateCall(what: string): void {
    this.parts.logger.debug(`A branch of an ended execution still called its context: ${what}`);
  }

  onDropped(why: string): void {
    this.parts.logger.warn(
      `${this.where} reported progress that was not sent: ${why}. Further such reports of this call are dropped without a message`,
    );
  }

  /** Runs the handler, at once where nothing waits. It never throws or rejects. */
  run(): MaybePromise<HandlerOutcome> {
    return whenReady(
      replay.execute(this, (execution) => this.enter(execution)),
      (outcome) => this.outcomeOf(outcome),
    );
  }

  private get where(): string {
    return this.invocation.handler.where;
  }

  private enter(execution: Execution): MaybePromise<unknown> {
    const { prepared } = this;
    const call = this.callOf(execution);
    this.call = call;
    return prepared.strata.run(OUTER, call, () =>
      whenReady(prepared.pipeline.begin(call, this), (pipeline) => {
        this.pipeline = pipeline;
        if (this.invocation.mark) this.invocation.mark.asked = 'all';
        return pipeline.showsResponse || this.parts.entrance.hasGuards
          ? valueOrAnswer(() => pipeline.enter(), { call, response: this.response })
          : pipeline.enter();
      }),
    );
  }

  private callOf(execution: Execution): HandlerCall {
    const { handler, arguments: args, envelope, trigger, isTask = false, principal, ledger, request } = this.invocation;
    return new HandlerCall({
      handler,
      strata: this.prepared.strata,
      arguments: args,
      envelope,
      trigger,
      isTask,
      execution,
      principal,
      entrance: this.parts.entrance,
      request,
      loadLedger: typeof ledger === 'function' ? ledger : () => ({ ledger }),
    });
  }

  private outcomeOf(outcome: ReplayOutcome<unknown>): MaybePromise<HandlerOutcome> {
    const ended: Ended = { ledger: outcome.ledger, principal: this.call!.principal };
    switch (outcome.kind) {
      case 'completed':
        return { kind: 'returned', value: outcome.value, ...ended };
      case 'inputRequired':
        return { kind: 'inputRequired', requests: outcome.requests, ...ended };
      case 'failed':
        return this.failed(outcome.error, ended);
    }
  }

  private failed(error: unknown, ended: Ended): MaybePromise<HandlerOutcome> {
    const { pipeline, parts, invocation } = this;
    const call = this.call!;
    const fault = (thrown: unknown): HandlerOutcome => ({ kind: 'failed', error: parts.failure.fault(thrown, invocation.handler.name) });
    if (call.execution.fault || !pipeline) return fault(error);
    return failedOutcome(error, { parts, call, pipeline, response: this.response, ended }).catch(fault);
  }
}

/** The text of whatever was thrown, for one line of the log. */
function shownError(error: unknown): string {
  try {
    return loggable(String(error));
  } catch {
    return 'a value that cannot be shown';
  }
}
