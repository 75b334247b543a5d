import { describeThrown } from '../../errors/thrown.js';
import { McpToolError } from '../../errors/mcp-tool.error.js';
import { McpError } from '../../errors/mcp.error.js';
import { loggable } from '../../protocol/texts.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { McpResult } from '../../protocol/messages.js';
import type { LedgerDrift } from '../../replay/ledger-drift.js';
import type { Pipeline, Settled } from '../../replay/settle.js';
import type { FilterAnswer, HandlerPipeline, PipelineRun, PreparedHandler } from './prepared-handler.js';
import { InvalidArgumentsError } from '../failure/handler-failure.js';
import { RecordedHttpError, valueOrAnswer } from '../response/answered-response.js';
import type { CallOutcome } from './call-outcome.js';
import { HandlerCall, type RunParts } from './handler-call.js';
import type { CallTarget, HandlerInvocation } from './invocation.js';
import type { KindRules } from './kind-rules.js';

/** The strata around the whole of Nest's pipeline. */
const OUTER = ['correlation', 'observation', 'audit'] as const;

/** Parts of a run. */
export interface HandlerRunParts extends RunParts {
  readonly rules: KindRules;
}

/**
 * One execution of a handler of any kind, on or off any request, from its invocation to its outcome. It owns the execution: everything that
 * stands around the author's method works on this object. `settle` runs it.
 */
export class HandlerRun extends HandlerCall implements Pipeline<unknown, CallOutcome> {
  readonly onDrift: ((drift: LedgerDrift) => void) | undefined;
  private readonly target: CallTarget;
  private pipeline?: PipelineRun;

  constructor(
    invocation: HandlerInvocation,
    private readonly prepared: PreparedHandler,
    private readonly parts: HandlerRunParts,
  ) {
    super(invocation, prepared, parts);
    this.onDrift = invocation.onDrift;
    this.target = invocation.target;
  }

  /** Enters the outer strata and everything inside of them. */
  enter(): MaybePromise<unknown> {
    return this.strata.isEmpty ? this.begin() : this.strata.run(OUTER, this, () => this.begin());
  }

  onUnheardFailure(key: string, error: unknown): void {
    this.parts.logger.warn(
      `${this.handler.where}: step "${loggable(key)}" failed, and nothing awaits it: ${shownError(error)}. Await it, or catch its error`,
    );
  }

  onUnheardBranch(reason: unknown): void {
    this.parts.logger.warn(
      `${this.handler.where}: a branch failed while the handler was suspended, and nothing awaits it. Await it, or catch its error`,
      describeThrown(reason),
    );
  }

  onLateCall(what: string): void {
    this.parts.logger.debug(`A branch of an ended execution still called its context: ${what}`);
  }

  onDropped(why: string): void {
    this.parts.logger.warn(
      `${this.handler.where} reported progress that was not sent: ${why}. Further such reports of this call are dropped without a message`,
    );
  }

  private begin(run: HandlerPipeline['run'] = this.prepared.pipeline.run): MaybePromise<unknown> {
    if (typeof run === 'function') return run(this).then((made) => this.begin(made));
    this.pipeline = run;
    if (this.mark) this.mark.asked = 'all';
    const mayAnswer = this.prepared.pipeline.showsResponse || this.parts.entrance.hasGuards;
    if (!mayAnswer) return run.enter(this);
    this.bodies = new Set();
    return valueOrAnswer(() => run.enter(this), { call: this, response: this.response });
  }

  /** The outcome of how the pipeline settled. */
  outcomeOf(end: Settled<unknown>): MaybePromise<CallOutcome> {
    const { execution, pipeline } = this;
    if (!execution.fault && execution.suspended) {
      return {
        kind: 'inputRequired',
        requests: Object.fromEntries(execution.asked ?? []),
        ledger: execution.snapshot(),
        principal: this.principal,
      };
    }
    if (end.ok) return this.returned(end.value);
    return execution.fault || !pipeline ? this.fault(end.error) : this.failed(end.error, pipeline).catch((thrown) => this.fault(thrown));
  }

  /** The outcome of a failure, by how far the call had come. Rejects if the thrown value throws when it is touched, as a Proxy or a getter may. */
  private async failed(error: unknown, pipeline: PipelineRun): Promise<CallOutcome> {
    const { failure, refusals, translation, rules } = this.parts;
    const { stage, handler, response } = this;
    const { where } = handler;
    if (stage === 'endpoint') return { kind: 'failed', error: refusals.refused(error, { where, call: this, response }) };
    if (stage === 'guards') return { kind: 'failed', error: refusals.denied(error, { where, call: this, response }) };
    const told = translation.translate(error);
    if (told instanceof McpError) return { kind: 'failed', error: failure.thrown(told, where) };
    const answer: FilterAnswer = isMeantForClients(told) ? { kind: 'none', logged: false } : await pipeline.filter(told, this);
    if (answer.kind === 'value') return this.returned(answer.value);
    const outcome = answer.kind === 'error' ? translation.translate(answer.error) : told;
    if (outcome instanceof McpError) return { kind: 'failed', error: failure.thrown(outcome, where) };
    // What a body throws because it was cancelled is no defect, and nobody is left to read it.
    const log = this.execution.stopped ? 'none' : answer.kind === 'none' && answer.logged ? 'id' : 'stack';
    const failed = rules.toFailure({ error: outcome, log, atArguments: stage === 'arguments' }, this.target);
    return failed instanceof McpError ? { kind: 'failed', error: failed } : this.completed(failed);
  }

  private returned(value: unknown): MaybePromise<CallOutcome> {
    try {
      const result = this.parts.rules.toResult(value, this.target);
      if (!isThenable(result)) return this.completed(result);
      return result.then(
        (ready) => this.completed(ready),
        (error: unknown) => this.fault(error),
      );
    } catch (error) {
      return this.fault(error);
    }
  }

  private completed(result: McpResult): CallOutcome {
    return { kind: 'completed', result, ledger: this.execution.snapshot(), principal: this.principal };
  }

  private fault(error: unknown): CallOutcome {
    return { kind: 'failed', error: this.parts.failure.fault(error, this.handler.name) };
  }
}

/** Errors whose text was written for the client already, which no filter written for something else may change. */
function isMeantForClients(error: unknown): boolean {
  return error instanceof McpToolError || error instanceof InvalidArgumentsError || error instanceof RecordedHttpError;
}

/** The text of whatever was thrown, for one line of the log. */
function shownError(error: unknown): string {
  try {
    return loggable(String(error));
  } catch {
    return 'a value that cannot be shown';
  }
}
