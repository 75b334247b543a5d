import type { ExecutionContext } from '@nestjs/common';
import { ContextIdFactory, type ApplicationConfig, type ExternalContextCreator, type ModuleRef } from '@nestjs/core';
import type { DispatchContext } from '../dispatch/dispatch-context.js';
import { EndpointGate } from '../dispatch/endpoint-gate.js';
import type { McpPrincipal } from '../envelope/principal.js';
import { ENTRY_PROVIDER_METADATA } from '../decorators/handler-metadata.js';
import type { EndpointEntrance } from './endpoint-entrance.js';
import { ENDPOINT_GUARD, Guarded } from './framework-guards.js';
import { responseFacade } from './response-facade.js';
import type { ToolFailure } from './tool-failure.js';

/** What guards see as handler and class for every method that runs no handler of the author's: lists, `server/discover`, extension methods. */
export class McpEndpoint {
  enter(): void {}
}
Reflect.defineMetadata('__guards__', [ENDPOINT_GUARD], McpEndpoint);
Reflect.defineMetadata(ENTRY_PROVIDER_METADATA, true, McpEndpoint);

/** What the gate needs of Nest. */
export interface EndpointGateParts {
  readonly creator: ExternalContextCreator;
  readonly config: ApplicationConfig;
  readonly moduleRef: ModuleRef;
  readonly endpoint: McpEndpoint;
  readonly entrance: EndpointEntrance;
  readonly failure: ToolFailure;
}

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

/** Runs Nest's global guards, the endpoint's and the principal source for methods without a handler, in a context that has guards alone. */
export class NestEndpointGate extends EndpointGate {
  private fixed?: (...args: unknown[]) => Promise<unknown>;

  constructor(private readonly parts: EndpointGateParts) {
    super();
  }

  override async enter({ exchange }: DispatchContext): Promise<McpPrincipal | undefined> {
    const call = new EndpointCall(this.parts.entrance);
    const run = await this.guards(exchange.request);
    await run(exchange.request, responseFacade(), undefined, call).catch((error: unknown) => {
      throw this.parts.failure.refused(error);
    });
    return call.principal;
  }

  private async guards(request: object): Promise<(...args: unknown[]) => Promise<unknown>> {
    if (this.parts.config.getGlobalRequestGuards().length === 0) return (this.fixed ??= this.create(this.parts.endpoint));
    const { moduleRef } = this.parts;
    const contextId = ContextIdFactory.getByRequest(request as Record<string, unknown>);
    moduleRef.registerRequestByContextId(request, contextId);
    const endpoint = await moduleRef.resolve(McpEndpoint, contextId, { strict: false });
    return this.create(endpoint, contextId);
  }

  private create(endpoint: McpEndpoint, contextId?: ReturnType<typeof ContextIdFactory.create>): (...args: unknown[]) => Promise<unknown> {
    const options = { guards: true, interceptors: false, filters: false };
    const inquirerId = undefined;
    return this.parts.creator.create(
      endpoint,
      McpEndpoint.prototype.enter as (...args: unknown[]) => unknown,
      'enter',
      undefined,
      undefined,
      contextId,
      inquirerId,
      options,
      'mcp' as never,
    );
  }
}
