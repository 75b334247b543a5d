import { Inject, Injectable, Logger } from '@nestjs/common';
import type { HandlerKind } from '../discovery/handler-definition.js';
import type { ToolRegistry } from '../discovery/registries.js';
import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { McpPrincipal } from '../envelope/principal.js';
import { invalidParams } from '../errors/mcp.error.js';
import { PreparedHandlers } from '../handlers/run/prepared-handler.js';
import { GuardRefusals } from '../handlers/failure/guard-refusals.js';
import { ResponseStandIns } from '../handlers/response/response-headers.js';
import type { CallOutcome } from '../handlers/run/call-outcome.js';
import { EndpointEntrance } from '../handlers/run/endpoint-entrance.js';
import { HandlerRun, type HandlerRunParts } from '../handlers/run/handler-run.js';
import { NOTHING_ANSWERED, type CallTarget, type HandlerInvocation } from '../handlers/run/invocation.js';
import type { KindRules } from '../handlers/run/kind-rules.js';
import { isThenable, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import type { RequestStateBinding } from '../replay/request-state-codec.js';
import { settle } from '../replay/settle.js';
import { WireCarrier } from '../replay/wire-carrier.js';
import { ROOT_ENDPOINT } from '../seams/endpoint.js';
import { checkParamHeaders } from './check-param-headers.js';
import { PromptRules } from './kinds/prompt-rules.js';
import { ResourceRules, type ReadSettings } from './kinds/resource-rules.js';
import { ToolRules } from './kinds/tool-rules.js';
import { RequestCarrier, type RequestCarrierSettings } from './request-carrier.js';
import { Surface } from './surface.js';

/** Options of the server that apply to calls. */
export abstract class CallSettings implements ReadSettings, RequestCarrierSettings {
  abstract readonly maxUriLength: ReadSettings['maxUriLength'];
  abstract readonly cache: ReadSettings['cache'];
  abstract readonly logging: RequestCarrierSettings['logging'];
  abstract readonly notifications: RequestCarrierSettings['notifications'];
}

/**
 * Runs handlers of every kind: a call goes from its request to an invocation, to its outcome, to the answer. Extensions that own a call take the
 * same three steps, and may change the invocation between them.
 */
@Injectable()
export class CallRunner {
  /** The tools of the endpoint. */
  readonly tools: ToolRegistry;
  /** The rules of each kind of handler. */
  readonly rules: Readonly<Record<HandlerKind, KindRules>>;
  private readonly parts: Readonly<Record<HandlerKind, HandlerRunParts>>;

  constructor(
    @Inject(Surface) surface: Surface,
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(EndpointEntrance) entrance: EndpointEntrance,
    @Inject(GuardRefusals) refusals: GuardRefusals,
    @Inject(ResponseStandIns) responses: ResponseStandIns,
    @Inject(WireCarrier) private readonly rounds: WireCarrier,
    @Inject(CallSettings) private readonly settings: CallSettings,
  ) {
    const { tools, prompts, visibility, failure, translation } = surface;
    const resource = new ResourceRules(surface, settings);
    const tool = new ToolRules(tools, visibility, failure);
    const prompt = new PromptRules(prompts, visibility, failure);
    const common = { entrance, failure, translation, refusals, responses, logger: new Logger('McpReplay') };
    this.tools = tools;
    this.rules = { tool, prompt, resource, 'resource-template': resource };
    this.parts = {
      tool: { ...common, rules: tool },
      prompt: { ...common, rules: prompt },
      resource: { ...common, rules: resource },
      'resource-template': { ...common, rules: resource },
    };
  }

  /** The JSON-RPC method that takes all three steps within its request, for the handlers of a kind. */
  method(name: string, kind: HandlerKind): McpMethod {
    const rules = this.rules[kind];
    return {
      name,
      guards: 'handler',
      resolve: rules.read.bind(rules),
      handle: (context) => {
        const target = context.target as CallTarget;
        const outcome = this.run(this.invocation(context, target));
        if (isThenable(outcome)) return outcome.then((ended) => this.reply(context, target, ended));
        return outcome.kind === 'completed' ? outcome.result : this.reply(context, target, outcome);
      },
    };
  }

  /**
   * The execution that a request asks for: its answers from the sealed token, its signal and progress those of the request.
   * @throws McpError -32020 when the headers that repeat arguments of a tool do not agree with them
   */
  invocation(context: DispatchContext, target: CallTarget): HandlerInvocation {
    const { exchange, envelope, params, principal, guards } = context;
    const { handler } = target;
    if (handler.kind === 'tool' && handler.paramHeaders.length > 0) checkParamHeaders(exchange.headers, handler, target.arguments);
    const isRetry = params.requestState !== undefined || params.inputResponses !== undefined;
    return {
      target,
      ledger: isRetry ? (caller) => this.rounds.open(params, binding(context, target, caller)) : NOTHING_ANSWERED,
      envelope,
      trigger: 'call',
      request: exchange.request,
      responseHeaders: exchange.responseHeaders,
      mark: guards,
      carrier: new RequestCarrier(exchange, envelope, this.settings),
      principal,
      // For the copy of an extension that sets it: a member that is there already costs nothing.
      admission: undefined,
    };
  }

  /** Runs a handler once, on or off any request; at once where nothing waits. It never throws or rejects: every ending is an outcome. */
  run(invocation: HandlerInvocation): MaybePromise<CallOutcome> {
    const { handler } = invocation.target;
    const prepared = this.prepared.get(handler);
    if (!prepared) return { kind: 'failed', error: invalidParams(`Unknown ${handler.kind}: ${handler.name}`) };
    const run = new HandlerRun(invocation, prepared, this.parts[handler.kind]);
    return settle(run.execution, run);
  }

  /**
   * The answer to the request (MCP basic "Multi round-trip requests").
   * @throws McpError when the outcome is a JSON-RPC error; Error when the ledger outgrows the token
   */
  reply(context: DispatchContext, target: CallTarget, outcome: CallOutcome): McpResult {
    switch (outcome.kind) {
      case 'completed':
        return outcome.result;
      case 'inputRequired':
        return this.rounds.ask(outcome.requests, outcome.ledger, binding(context, target, outcome.principal));
      case 'failed':
        throw outcome.error;
    }
  }
}

/** Binds a question to its endpoint: no other endpoint accepts the answers, even if they share keys. */
function binding({ method, endpoint }: DispatchContext, target: CallTarget, principal: McpPrincipal | undefined): RequestStateBinding {
  return {
    method: endpoint === ROOT_ENDPOINT ? method : `${endpoint} ${method}`,
    target: target.name,
    arguments: target.arguments,
    principalId: principal?.id,
  };
}
