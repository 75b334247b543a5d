import { Inject, Injectable, Logger } from '@nestjs/common';
import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { ToolDefinition } from '../discovery/tool-definition.js';
import { ErrorTranslation } from '../errors/error-translation.js';
import { McpError, invalidParams } from '../errors/mcp.error.js';
import type { InputRequests } from '../protocol/input-requests.js';
import type { JsonObject } from '../protocol/json.js';
import type { CallToolResult } from '../protocol/tool-result.js';
import { mapStructuredResult } from '../results/map-structured-result.js';
import { mapToolResult } from '../results/map-tool-result.js';
import type { Admission, Admitted, AdmissionState, ExecutionCarrier } from '../replay/execution-carrier.js';
import type { LedgerSnapshot } from '../replay/ledger-entry.js';
import { ReplayExecutor } from '../replay/replay-executor.js';
import type { ReplayOutcome } from '../replay/replay-outcome.js';
import type { LoadedLedger } from '../replay/wire-carrier.js';
import { EndpointEntrance } from './endpoint-entrance.js';
import { HandlerCall } from './handler-call.js';
import type { ExecutionTrigger } from './mcp-execution.js';
import type { FilterAnswer } from './filter-chain.js';
import type { PipelineRun } from './nest-pipeline.js';
import { PreparedTools, type PreparedTool } from './prepared-tool.js';
import { InvalidArgumentsError, ToolFailure } from './tool-failure.js';

/** What a call hands over when it becomes something that outlives its request. */
export interface ToolAdmissionState extends AdmissionState {
  /** Settled, whatever guards did to the request afterwards. */
  readonly principal: McpPrincipal | undefined;
}

/** How a call of a tool becomes something that outlives its request; see `Admission`. */
export interface ToolAdmission extends Pick<Admission, 'when'> {
  admit(state: ToolAdmissionState): Promise<Admitted>;
}

/** One execution of a tool, on whichever carrier. */
export interface ToolInvocation {
  readonly tool: ToolDefinition;
  readonly arguments: JsonObject;
  /** The answers so far, or how to find them once the caller is known. */
  readonly ledger: LedgerSnapshot | ((principal: McpPrincipal | undefined) => LoadedLedger);
  readonly envelope: RequestEnvelope;
  /** Undefined: settled by the principal source on the way in. Null: settled as anonymous, such as a task's stored caller. */
  readonly principal?: McpPrincipal | null;
  readonly trigger: ExecutionTrigger;
  /** The execution is an attempt of a task already. */
  readonly isTask?: boolean;
  /** What guards see as the request: the live one, or a stand-in of the same shape. */
  readonly request: object;
  readonly carrier: ExecutionCarrier;
  readonly admission?: ToolAdmission;
}

/** How an execution of a tool ended, as its caller is to see it. */
export type ToolOutcome =
  /** The tool's result, `isError` ones included. */
  | {
      readonly kind: 'completed';
      readonly result: CallToolResult;
      readonly ledger: LedgerSnapshot;
      readonly principal: McpPrincipal | undefined;
    }
  | {
      readonly kind: 'inputRequired';
      readonly requests: InputRequests;
      readonly ledger: LedgerSnapshot;
      readonly principal: McpPrincipal | undefined;
    }
  /** A JSON-RPC error: a denial, an `McpError`, or a fault of the framework's own. */
  | { readonly kind: 'failed'; readonly error: McpError };

/**
 * Runs a tool once through Nest's pipeline against a ledger, on or off any request: the one core that both carriers use.
 * It never rejects; every ending is an outcome.
 */
@Injectable()
export class ToolInvoker {
  private readonly replay = new ReplayExecutor();
  private readonly logger = new Logger('McpReplay');

  constructor(
    @Inject(PreparedTools) private readonly prepared: PreparedTools,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(ToolFailure) private readonly failure: ToolFailure,
    @Inject(ErrorTranslation) private readonly translation: ErrorTranslation,
  ) {}

  async invoke(invocation: ToolInvocation): Promise<ToolOutcome> {
    const prepared = this.prepared.get(invocation.tool);
    if (!prepared) return { kind: 'failed', error: invalidParams(`Unknown tool: ${invocation.tool.name}`) };
    let running: { call: HandlerCall; run?: PipelineRun } | undefined;
    const admission = admissionOf(invocation, () => running?.call.principal);
    const start = {
      capabilities: invocation.envelope.clientCapabilities,
      carrier: invocation.carrier,
      ...admission,
      onLateCall: (what: string) => this.logger.debug(`A branch of an execution that is over still called its context: ${what}`),
    };
    const outcome = await this.replay.execute(start, async (execution) => {
      const call = this.callOf(invocation, { prepared, execution });
      running = { call };
      return prepared.strata.run(['correlation', 'observation', 'audit'], call, async () => {
        const run = await prepared.pipeline.begin(call, invocation.request);
        running = { call, run };
        return run.enter();
      });
    });
    // A value may throw at every touch (a Proxy, a getter), a thrown one included.
    return this.outcomeOf(outcome, running!).catch((error: unknown) => ({
      kind: 'failed',
      error: this.failure.fault(error, invocation.tool.name),
    }));
  }

  private callOf(
    invocation: ToolInvocation,
    { prepared, execution }: { prepared: PreparedTool; execution: HandlerCall['execution'] },
  ): HandlerCall {
    const { ledger } = invocation;
    return new HandlerCall({
      tool: invocation.tool,
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

  private async outcomeOf(outcome: ReplayOutcome<unknown>, { call, run }: { call: HandlerCall; run?: PipelineRun }): Promise<ToolOutcome> {
    const { ledger } = outcome;
    const { principal } = call;
    switch (outcome.kind) {
      case 'completed':
        return this.completed(outcome.value, { call, ledger });
      case 'inputRequired':
        return { kind: 'inputRequired', requests: outcome.requests, ledger, principal };
      case 'failed':
        return this.failed(outcome.error, { call, ledger, ...(run ? { run } : {}) });
    }
  }

  private async completed(value: unknown, { call, ledger }: { call: HandlerCall; ledger: LedgerSnapshot }): Promise<ToolOutcome> {
    const { tool, principal } = call;
    try {
      const { name, outputSchema } = tool;
      const result = outputSchema ? await mapStructuredResult(value, { name, outputSchema }) : mapToolResult(value, name);
      return { kind: 'completed', result, ledger, principal };
    } catch (error) {
      return { kind: 'completed', result: this.failure.result(error, { toolName: tool.name, log: 'stack' }), ledger, principal };
    }
  }

  /** What an error means is read from how far the call had come. */
  private async failed(error: unknown, ended: { call: HandlerCall; ledger: LedgerSnapshot; run?: PipelineRun }): Promise<ToolOutcome> {
    const { call, ledger, run } = ended;
    const { failure } = this;
    if (call.execution.fault) return { kind: 'failed', error: failure.fault(error, call.tool.name) };
    if (!run) return { kind: 'failed', error: failure.fault(error, call.tool.name) };
    if (call.stage === 'endpoint') return { kind: 'failed', error: failure.refused(error) };
    if (call.stage === 'guards') return { kind: 'failed', error: failure.denied(error) };
    const told = this.translation.translate(error);
    if (told instanceof McpError) return { kind: 'failed', error: told };
    const answer: FilterAnswer = isDecided(told) ? { kind: 'none', logged: false } : await run.filter(told);
    if (answer.kind === 'value') return this.completed(answer.value, { call, ledger });
    const shown = answer.kind === 'error' ? answer.error : told;
    // What a body throws because it was told to stop is no defect, and nobody is left to read it.
    const log = call.execution.stopped ? 'none' : answer.kind === 'none' && answer.logged ? 'id' : 'stack';
    const result = failure.result(shown, { toolName: call.tool.name, log });
    return { kind: 'completed', result, ledger, principal: call.principal };
  }
}

/** Invalid arguments are the framework's own word, which no filter written for something else may change. */
function isDecided(error: unknown): boolean {
  return error instanceof InvalidArgumentsError;
}

function admissionOf({ admission }: ToolInvocation, principal: () => McpPrincipal | undefined): { admission?: Admission } {
  if (!admission) return {};
  return { admission: { when: admission.when, admit: (state) => admission.admit({ ...state, principal: principal() }) } };
}
