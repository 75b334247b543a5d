import { Inject, Injectable } from '@nestjs/common';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { HeaderSink } from '../../dispatch/exchange.js';
import type { GuardMark } from '../../dispatch/dispatch-context.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import { invalidParams } from '../../errors/mcp.error.js';
import type { JsonObject } from '../../protocol/json.js';
import { whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import { EndpointEntrance } from './endpoint-entrance.js';
import { HandlerCall, type CallParts } from './handler-call.js';
import { NOTHING_ANSWERED, type HandlerInvocation } from './invocation.js';
import { GuardRefusals } from '../failure/guard-refusals.js';
import { ResponseStandIns } from '../response/response-headers.js';
import { PreparedHandlers, type PreparedHandler } from './prepared-handler.js';

/** A request that wants to know whether it could call a handler. */
export interface GuardedRequest {
  readonly envelope: RequestEnvelope;
  /** Where the headers go that guards set on the response. */
  readonly responseHeaders?: HeaderSink | undefined;
  /** The request that guards see. */
  readonly request: object;
  readonly signal: AbortSignal;
  readonly arguments: JsonObject;
  /** The mark that the guards have run. */
  readonly mark?: GuardMark | undefined;
  /** Undefined: settled on the way, or anonymous if `entered`. */
  readonly principal?: McpPrincipal | undefined;
  /** The application's and the endpoint's guards have let this request in: only those of the handler run. */
  readonly entered?: boolean;
}

/** Ends the pipeline behind the last guard. */
class GuardsPassed extends Error {}

/** A call that goes as far as its guards. */
class GuardedCall extends HandlerCall {
  passed = false;

  /** @param isInside whether the guards of the application and the endpoint have been passed before */
  constructor(
    entering: { readonly invocation: HandlerInvocation; readonly prepared: PreparedHandler; readonly parts: CallParts },
    override readonly isInside: boolean,
  ) {
    super(entering.invocation, entering.prepared, entering.parts);
    if (isInside) this.stage = 'guards';
  }

  override guardsPassed(): MaybePromise<never> {
    return whenReady(super.guardsPassed(), () => {
      this.passed = true;
      throw new GuardsPassed();
    });
  }
}

/**
 * Runs all guards of a handler and nothing else: for calls that are guarded like the handler, such as the completion
 * of its arguments.
 */
@Injectable()
export class GuardCheck {
  constructor(
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(GuardRefusals) private readonly refusals: GuardRefusals,
    @Inject(ResponseStandIns) private readonly responses: ResponseStandIns,
  ) {}

  /** @returns the caller. @throws McpError the denial, as a call of the handler would answer it; whatever the making of its host throws */
  async pass(handler: HandlerDefinition, guarded: GuardedRequest): Promise<McpPrincipal | undefined> {
    const prepared = this.prepared.get(handler);
    if (!prepared) throw invalidParams(`Unknown ${handler.kind}: ${handler.name}`);
    const { signal, envelope, principal, entered = false } = guarded;
    const invocation: HandlerInvocation = {
      target: { kind: handler.kind, name: handler.name, handler, arguments: guarded.arguments },
      ledger: NOTHING_ANSWERED,
      envelope,
      principal: principal ?? (entered ? null : undefined),
      trigger: 'call',
      responseHeaders: guarded.responseHeaders,
      request: guarded.request,
      carrier: { signal, progress: { report: () => undefined } },
    };
    const { entrance, responses } = this;
    const call = new GuardedCall({ invocation, prepared, parts: { entrance, responses } }, entered);
    // A host that cannot be made is no word of a guard.
    const { run } = prepared.pipeline;
    const pipeline = await (typeof run === 'function' ? run(call) : run);
    if (guarded.mark) guarded.mark.asked = 'all';
    try {
      await pipeline.enter(call);
    } catch (error) {
      const at = { where: handler.where, call, response: call.response };
      if (!call.passed) throw call.stage === 'endpoint' ? this.refusals.refused(error, at) : this.refusals.denied(error, at);
    } finally {
      call.execution.end();
    }
    if (call.passed) return call.principal;
    throw new Error(`The guards of ${handler.where} ended without a decision`);
  }
}
