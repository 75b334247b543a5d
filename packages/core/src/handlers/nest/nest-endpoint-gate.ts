import { NestKey, markEntryProvider, setEnhancers } from '../../nest/metadata.js';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApplicationConfig, ContextIdFactory, ExternalContextCreator, ModuleRef, type ContextId } from '@nestjs/core';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import { EndpointGate, type Entering, type Judged } from '../../dispatch/endpoint-gate.js';
import { contextTypeOf, type ContextType } from '../../dispatch/exchange.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import { McpError } from '../../errors/mcp.error.js';
import { isJsonObject } from '../../protocol/json.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';
import { EndpointEntrance } from '../run/endpoint-entrance.js';
import { ENDPOINT_GUARD } from './framework-guards.js';
import { Guarded } from '../run/mcp-execution.js';
import { GuardCheck } from '../run/guard-check.js';
import { GuardRefusals } from '../failure/guard-refusals.js';
import { notingGuards } from './noting-guards.js';
import { ResponseStandIns } from '../response/response-headers.js';

/**
 * The handler and class that guards see for every method that runs no handler of the author's: lists, `server/discover`,
 * extension methods.
 */
export class McpEndpoint {
  readonly enter = entered;
}

function entered(): void {}

setEnhancers(McpEndpoint, NestKey.Guards, [ENDPOINT_GUARD]);
markEntryProvider(McpEndpoint);

type RunGuards = (...args: unknown[]) => Promise<unknown>;

class EndpointCall extends Guarded {
  override readonly isInside = false;
  override guard: CanActivate | undefined;
  principal: McpPrincipal | undefined;

  constructor(private readonly entrance: EndpointEntrance) {
    super();
  }

  override async enterEndpoint(context: () => ExecutionContext): Promise<void> {
    const seen = context();
    await this.entrance.runGuards(seen, (guard) => (this.guard = guard));
    this.principal = await this.entrance.principal(seen.switchToHttp().getRequest<object>());
  }

  override guardsPassed(): void {}
}

/**
 * Runs Nest's global guards, the endpoint's and the principal source for methods without a handler, in a context that has guards alone.
 * `McpEndpoint` is not injected: a request-scoped `APP_GUARD` makes it request-scoped, and whatever it were injected into, the whole server at last.
 */
@Injectable()
export class NestEndpointGate extends EndpointGate {
  private readonly creator: ExternalContextCreator;
  private readonly fixed = new Map<ContextType, RunGuards>();

  constructor(
    @Inject(ExternalContextCreator) creator: ExternalContextCreator,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(GuardRefusals) private readonly refusals: GuardRefusals,
    @Inject(ResponseStandIns) private readonly responses: ResponseStandIns,
    @Inject(GuardCheck) private readonly check: GuardCheck,
  ) {
    super();
    this.creator = notingGuards(creator);
  }

  override enter({ exchange }: Entering): MaybePromise<McpPrincipal | undefined> {
    return this.asksNobody ? this.principal(exchange) : this.askGuards(exchange);
  }

  /** Whether neither the application nor the endpoint has guards. */
  private get asksNobody(): boolean {
    const { config, entrance } = this;
    return !entrance.hasGuards && config.getGlobalGuards().length === 0 && config.getGlobalRequestGuards().length === 0;
  }

  private principal(exchange: Entering['exchange']): MaybePromise<McpPrincipal | undefined> {
    const refuse = (error: unknown): never => {
      const response = this.responses.make(exchange.responseHeaders);
      throw this.refusals.refused(error, { where: undefined, call: new EndpointCall(this.entrance), response });
    };
    try {
      const principal = this.entrance.principal(exchange.request);
      return isThenable(principal) ? principal.catch(refuse) : principal;
    } catch (error) {
      return refuse(error);
    }
  }

  private async askGuards(exchange: Entering['exchange']): Promise<McpPrincipal | undefined> {
    const call = new EndpointCall(this.entrance);
    const run = await this.guards(exchange.request);
    const response = this.responses.make(exchange.responseHeaders);
    await run(exchange.request, response, undefined, call).catch((error: unknown) => {
      throw this.refusals.refused(error, { where: undefined, call, response });
    });
    return call.principal;
  }

  override async judge({ exchange, envelope, params, handler }: Judged): Promise<void> {
    const { request, signal, responseHeaders } = exchange;
    const args = isJsonObject(params.arguments) ? params.arguments : {};
    try {
      await this.check.pass(handler as HandlerDefinition, { envelope, request, signal, responseHeaders, arguments: args });
    } catch (refusal) {
      if (refusal instanceof McpError) throw refusal;
      // No guard was asked, since what holds the handler cannot be made.
      await this.enter({ exchange });
    }
  }

  private async guards(request: object): Promise<RunGuards> {
    const type = contextTypeOf(request);
    if (this.config.getGlobalRequestGuards().length === 0) return this.fixedFor(type);
    const { moduleRef } = this;
    const contextId = ContextIdFactory.getByRequest(request as Record<string, unknown>);
    moduleRef.registerRequestByContextId(request, contextId);
    const endpoint = await moduleRef.resolve(McpEndpoint, contextId, { strict: false });
    return this.create(type, endpoint, contextId);
  }

  private fixedFor(type: ContextType): RunGuards {
    const made = this.fixed.get(type) ?? this.create(type, new McpEndpoint());
    this.fixed.set(type, made);
    return made;
  }

  private create(type: ContextType, endpoint: McpEndpoint, contextId?: ContextId): RunGuards {
    const options = { guards: true, interceptors: false, filters: false };
    const inquirerId = undefined;
    return this.creator.create(endpoint, endpoint.enter, 'enter', undefined, undefined, contextId, inquirerId, options, type as never);
  }
}
