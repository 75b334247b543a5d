import { Inject, Injectable, Logger } from '@nestjs/common';
import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { HeaderSink } from '../dispatch/exchange.js';
import type { GuardMark } from '../dispatch/guard-mark.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import { describeThrown } from '../errors/describe-thrown.js';
import { ErrorTranslation } from '../errors/error-translation.js';
import type { FailureLog } from '../errors/mask-error.js';
import { McpToolError } from '../errors/mcp-tool.error.js';
import { McpError, invalidParams } from '../errors/mcp.error.js';
import type { InputRequests } from '../protocol/input-requests.js';
import type { JsonObject } from '../protocol/json.js';
import { loggable } from '../protocol/loggable.js';
import type { Execution } from '../replay/execution.js';
import type { Admission, AdmissionState, Admitted, ExecutionCarrier } from '../replay/execution-carrier.js';
import type { LedgerDrift } from '../replay/ledger-drift.js';
import type { LedgerSnapshot } from '../replay/ledger-entry.js';
import { ReplayExecutor } from '../replay/replay-executor.js';
import type { ReplayOutcome } from '../replay/replay-outcome.js';
import type { LoadedLedger } from '../replay/wire-carrier.js';
import { RecordedHttpError, valueOrAnswer } from './answered-response.js';
import { EndpointEntrance } from './endpoint-entrance.js';
import type { FilterAnswer } from './filter-chain.js';
import { GuardRefusals } from './guard-refusals.js';
import { HandlerCall } from './handler-call.js';
import { HandlerFailure, InvalidArgumentsError } from './handler-failure.js';
import type { ExecutionTrigger } from './mcp-execution.js';
import type { PipelineRun } from './nest-pipeline.js';
import { PreparedHandlers, type PreparedHandler } from './prepared-handler.js';
import type { ResponseFacade } from './response-facade.js';
import { ResponseStandIns } from './response-stand-ins.js';

/** What a call hands over when it becomes something that outlives its request. */
export interface HandlerAdmissionState extends AdmissionState {
  /** Settled, whatever guards did to the request afterwards. */
  readonly principal: McpPrincipal | undefined;
}

/** How a call becomes something that outlives its request; see `Admission`. */
export interface HandlerAdmission extends Pick<Admission, 'when'> {
  admit(state: HandlerAdmissionState): Promise<Admitted>;
}

/** One execution of a handler, on whichever carrier. */
export interface HandlerInvocation {
  readonly handler: HandlerDefinition;
  readonly arguments: JsonObject;
  /** The answers so far, or how to find them once the caller is known. */
  readonly ledger: LedgerSnapshot | ((principal: McpPrincipal | undefined) => LoadedLedger);
  readonly envelope: RequestEnvelope;
  /** Undefined: settled by the principal source on the way in. Null: settled as anonymous, such as a task's stored caller. */
  readonly principal?: McpPrincipal | null;
  readonly trigger: ExecutionTrigger;
  /**
   * `skip` asks no guard, be it global, the endpoint's, the class's or the method's: for a caller that was let in before and whom `principal` names.
   * @default 'run'
   */
  readonly guards?: 'run' | 'skip';
  /** Where the headers go that enhancers set on the response; undefined where no HTTP response waits. */
  readonly responseHeaders?: HeaderSink;
  /** Where it is noted that the guards are asked. */
  readonly mark?: GuardMark;
  /** The execution is an attempt of a task already. */
  readonly isTask?: boolean;
  /** What guards see as the request: the live one, or a stand-in of the same shape, marked by `standInRequest`. */
  readonly request: object;
  readonly carrier: ExecutionCarrier;
  readonly admission?: HandlerAdmission;
  /** See `ExecutionStart.onDrift`. */
  readonly onDrift?: (drift: LedgerDrift) => void;
}

/** What every ending knows. */
export interface Ended {
  readonly ledger: LedgerSnapshot;
  readonly principal: McpPrincipal | undefined;
}

/** How an execution of a handler ended, before its kind says what that is on the wire. */
export type HandlerOutcome =
  | ({ readonly kind: 'returned'; readonly value: unknown } & Ended)
  /** The arguments did not conform, or a pipe, an interceptor or the body failed: the handler's own failure. */
  | ({
      readonly kind: 'threw';
      readonly error: unknown;
      readonly log: FailureLog;
      /** It came of the arguments or their pipes. */ readonly atArguments: boolean;
    } & Ended)
  | ({ readonly kind: 'inputRequired'; readonly requests: InputRequests } & Ended)
  /** A JSON-RPC error: a denial, an `McpError`, or a fault of the framework's own. */
  | { readonly kind: 'failed'; readonly error: McpError };

interface Running {
  readonly call: HandlerCall;
  readonly run?: PipelineRun;
  readonly response?: ResponseFacade;
}

/**
 * Runs a handler once through Nest's pipeline against a ledger, on or off any request: the one core that every kind of handler and both carriers use.
 * It never rejects; every ending is an outcome.
 */
@Injectable()
export class HandlerInvoker {
  private readonly replay = new ReplayExecutor();
  private readonly logger = new Logger('McpReplay');

  constructor(
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(HandlerFailure) private readonly failure: HandlerFailure,
    @Inject(ErrorTranslation) private readonly translation: ErrorTranslation,
    @Inject(GuardRefusals) private readonly refusals: GuardRefusals,
    @Inject(ResponseStandIns) private readonly responses: ResponseStandIns,
  ) {}

  async invoke(invocation: HandlerInvocation): Promise<HandlerOutcome> {
    const prepared = this.prepared.get(invocation.handler);
    if (!prepared) return { kind: 'failed', error: invalidParams(`Unknown ${invocation.handler.kind}: ${invocation.handler.name}`) };
    let running: Running | undefined;
    const start = {
      capabilities: invocation.envelope.clientCapabilities,
      carrier: invocation.carrier,
      ...admissionOf(invocation, () => running?.call.principal),
      onUnheardFailure: (key: string, error: unknown) =>
        this.logger.warn(
          `${invocation.handler.where}: step "${loggable(key)}" failed, and nothing awaits it: ${shownError(error)}. Await it, or catch its error`,
        ),
      onUnheardBranch: (reason: unknown) =>
        this.logger.warn(
          `${invocation.handler.where}: a branch failed while the handler was suspended, and nothing awaits it. Await it, or catch its error`,
          describeThrown(reason),
        ),
      ...(invocation.onDrift ? { onDrift: invocation.onDrift } : {}),
      onLateCall: (what: string) => this.logger.debug(`A branch of an ended execution still called its context: ${what}`),
      onDropped: (why: string) =>
        this.logger.warn(
          `${invocation.handler.where} reported progress that was not sent: ${why}. Further such reports of this call are dropped without a message`,
        ),
    };
    const outcome = await this.replay.execute(start, async (execution) => {
      const call = this.callOf(invocation, { prepared, execution });
      running = { call };
      return prepared.strata.run(['correlation', 'observation', 'audit'], call, async () => {
        const { request, guards = 'run', responseHeaders } = invocation;
        const response = this.responses.make(responseHeaders);
        const run = await prepared.pipeline.begin(call, { request, response, guards });
        running = { call, run, response };
        if (invocation.mark) invocation.mark.asked = 'all';
        return valueOrAnswer(run.enter(), { call, response });
      });
    });
    // A value may throw at every touch (a Proxy, a getter), a thrown one included.
    return this.outcomeOf(outcome, running!).catch((error: unknown) => ({
      kind: 'failed',
      error: this.failure.fault(error, invocation.handler.name),
    }));
  }

  private callOf(invocation: HandlerInvocation, { prepared, execution }: { prepared: PreparedHandler; execution: Execution }): HandlerCall {
    const { ledger } = invocation;
    return new HandlerCall({
      handler: invocation.handler,
      strata: prepared.strata,
      arguments: invocation.arguments,
      envelope: invocation.envelope,
      trigger: invocation.trigger,
      isTask: invocation.isTask ?? false,
      execution,
      ...(invocation.principal === undefined ? {} : { principal: invocation.principal }),
      entrance: this.entrance,
      loadLedger: typeof ledger === 'function' ? ledger : () => ({ ledger }),
    });
  }

  private async outcomeOf(outcome: ReplayOutcome<unknown>, running: Running): Promise<HandlerOutcome> {
    const ended: Ended = { ledger: outcome.ledger, principal: running.call.principal };
    switch (outcome.kind) {
      case 'completed':
        return { kind: 'returned', value: outcome.value, ...ended };
      case 'inputRequired':
        return { kind: 'inputRequired', requests: outcome.requests, ...ended };
      case 'failed':
        return this.failed(outcome.error, running, ended);
    }
  }

  /** What an error means is read from how far the call had come. */
  private async failed(error: unknown, { call, run, response }: Running, ended: Ended): Promise<HandlerOutcome> {
    const { failure } = this;
    if (call.execution.fault || !run || !response) return { kind: 'failed', error: failure.fault(error, call.handler.name) };
    if (call.stage === 'endpoint')
      return { kind: 'failed', error: this.refusals.refused(error, { where: call.handler.where, call, response }) };
    if (call.stage === 'guards')
      return { kind: 'failed', error: this.refusals.denied(error, { where: call.handler.where, call, response }) };
    const told = this.translation.translate(error);
    if (told instanceof McpError) return { kind: 'failed', error: failure.thrown(told, call.handler.where) };
    const answer: FilterAnswer = isMeantForClients(told) ? { kind: 'none', logged: false } : await run.filter(told);
    if (answer.kind === 'value') return { kind: 'returned', value: answer.value, ...ended };
    const outcome = answer.kind === 'error' ? this.translation.translate(answer.error) : told;
    if (outcome instanceof McpError) return { kind: 'failed', error: failure.thrown(outcome, call.handler.where) };
    // What a body throws because it was told to stop is no defect, and nobody is left to read it.
    const log = call.execution.stopped ? 'none' : answer.kind === 'none' && answer.logged ? 'id' : 'stack';
    const atArguments = call.stage === 'arguments';
    return { kind: 'threw', error: outcome, log, atArguments, ...ended };
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

/** Errors whose text was written for the client already, which no filter written for something else may change. */
function isMeantForClients(error: unknown): boolean {
  return error instanceof McpToolError || error instanceof InvalidArgumentsError || error instanceof RecordedHttpError;
}

function admissionOf({ admission }: HandlerInvocation, principal: () => McpPrincipal | undefined): { admission?: Admission } {
  if (!admission) return {};
  return { admission: { when: admission.when, admit: (state) => admission.admit({ ...state, principal: principal() }) } };
}
