import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { namedHandler } from '../discovery/check-names.js';
import type { MessageDispatcher } from '../dispatch/message-dispatcher.js';
import { McpDefinitionsError, type DefinitionFault } from '../errors/definition-fault.js';
import type { HandlerCustomizer } from '../handlers/boot/constructed-handler.js';
import { HandlerExplorer } from '../handlers/boot/handler-explorer.js';
import { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import { guardUnwinding } from '../replay/unwinding-guard.js';
import { EndpointHandle } from '../seams/endpoint-handle.js';
import type { McpTransport } from '../transport/mcp-transport.js';
import { EndpointPlace } from './check-endpoints.js';
import { assembleEndpoint, BootParts, type Endpoint } from './endpoint.js';
import { GuardFinder } from './endpoint-guards.js';
import { listHandlers, warnOfNode } from './startup-log.js';
import { EndpointTransports } from './transports.js';

/** Brings the server up once every module is initialised: finds the handlers, assembles the endpoint, opens it. Every fault is reported at once. */
@Injectable()
export class McpBootstrap implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('McpModule');
  private releaseGuard?: () => void;

  constructor(
    @Inject(ResolvedMcpOptions) readonly options: ResolvedMcpOptions,
    @Inject(EndpointPlace) private readonly place: EndpointPlace,
    @Inject(HandlerExplorer) private readonly explorer: HandlerExplorer,
    @Inject(GuardFinder) private readonly guards: GuardFinder,
    @Inject(BootParts) private readonly parts: BootParts,
    @Inject(EndpointHandle) private readonly handle: EndpointHandle<Endpoint>,
    @Inject(EndpointTransports) private readonly transports: EndpointTransports,
  ) {}

  /** The endpoint; before it is up, reading any member of it throws. */
  get endpoint(): Endpoint {
    return this.handle.current;
  }

  /** The dispatcher for the messages of transports. @throws Error before the endpoint is up */
  get dispatcher(): MessageDispatcher {
    return this.endpoint.dispatcher;
  }

  /** Takes a transport that was opened after boot, to close it with the application unless it is given back before. */
  adopt(transport: McpTransport): () => void {
    return this.transports.adopt(transport);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { options, place, parts } = this;
    const customizers = parts.seams.of<HandlerCustomizer>('handler-customizer');
    const { handlers, faults: found } = await this.explorer.explore(customizers, parts.surface.registries.list().map(namedHandler));
    const faults: DefinitionFault[] = [...place.check(), ...found];
    parts.takeOver(handlers);
    const guards = await this.guards.inForce();
    const endpoint = assembleEndpoint(parts, { options, place, guards, faults });
    this.handle.publish(endpoint);
    const isOpen = this.open(endpoint, guards.isProtected, faults);
    if (faults.length > 0) throw new McpDefinitionsError(faults);
    this.releaseGuard = guardUnwinding();
    warnOfNode();
    const list = listHandlers(handlers.map(({ definition }) => definition));
    this.logger.log(isOpen ? `Serving ${endpoint.path}: ${list}` : list);
  }

  /** The last hook of all: the shutdown unwinds handlers as well, and must not end in a failure by it. */
  onApplicationShutdown(): void {
    this.releaseGuard?.();
  }

  private open({ path, dispatcher, legacy }: Endpoint, isProtected: boolean, faults: DefinitionFault[]): boolean {
    const { limits, shutdown, allowedHosts, allowedOrigins } = this.options;
    return this.transports.openHttp({
      options: { path, limits, shutdown, allowedHosts, allowedOrigins, isProtected },
      dispatcher,
      legacy,
      faults,
    });
  }
}
