import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ApplicationConfig, ContextIdFactory, ExternalContextCreator, ModuleRef, type ContextId } from '@nestjs/core';
import type { DispatchContext } from '../dispatch/dispatch-context.js';
import { EndpointGate } from '../dispatch/endpoint-gate.js';
import { contextTypeOf, type ContextType } from '../dispatch/stand-in-request.js';
import type { McpPrincipal } from '../envelope/principal.js';
import { ENTRY_PROVIDER_METADATA } from '../decorators/handler-metadata.js';
import { EndpointEntrance } from './endpoint-entrance.js';
import { ENDPOINT_GUARD, Guarded } from './framework-guards.js';
import { responseFacade } from './response-facade.js';
import { HandlerFailure } from './handler-failure.js';

/** What guards see as handler and class for every method that runs no handler of the author's: lists, `server/discover`, extension methods. */
export class McpEndpoint {
  readonly enter = entered;
}

function entered(): void {}

Reflect.defineMetadata('__guards__', [ENDPOINT_GUARD], McpEndpoint);
Reflect.defineMetadata(ENTRY_PROVIDER_METADATA, true, McpEndpoint);

type RunGuards = (...args: unknown[]) => Promise<unknown>;

class EndpointCall extends Guarded {
  principal: McpPrincipal | undefined;

  constructor(private readonly entrance: EndpointEntrance) {
    super();
  }

  override async enterEndpoint(context: ExecutionContext): Promise<void> {
    await this.entrance.runGuards(context);
    this.principal = await this.entrance.principal(context);
  }

  override guardsPassed(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Runs Nest's global guards, the endpoint's and the principal source for methods without a handler, in a context that has guards alone.
 * `McpEndpoint` is not injected: a request-scoped `APP_GUARD` makes it request-scoped, and whatever it were injected into, the whole server at last.
 */
@Injectable()
export class NestEndpointGate extends EndpointGate {
  private readonly fixed = new Map<ContextType, RunGuards>();

  constructor(
    @Inject(ExternalContextCreator) private readonly creator: ExternalContextCreator,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(HandlerFailure) private readonly failure: HandlerFailure,
  ) {
    super();
  }

  override async enter({ exchange }: Pick<DispatchContext, 'exchange'>): Promise<McpPrincipal | undefined> {
    const call = new EndpointCall(this.entrance);
    const run = await this.guards(exchange.request);
    await run(exchange.request, responseFacade(), undefined, call).catch((error: unknown) => {
      throw this.failure.refused(error);
    });
    return call.principal;
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
