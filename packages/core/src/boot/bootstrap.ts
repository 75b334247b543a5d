import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { collectFault, McpDefinitionsError, type DefinitionFault } from '../errors/definition-fault.js';
import { listHandlers, warnOfNode } from './startup-log.js';
import { namedHandler } from '../discovery/check-names.js';
import { EndpointGate } from '../dispatch/endpoint-gate.js';
import type { MessageDispatcher } from '../dispatch/message-dispatcher.js';
import { CallerRates } from '../envelope/caller-rates.js';
import { ErrorTranslation, type McpErrorTranslator } from '../errors/error-translation.js';
import { EndpointEntrance } from '../handlers/run/endpoint-entrance.js';
import type { HandlerCustomizer } from '../handlers/boot/constructed-handler.js';
import { HandlerExplorer, type ExploredHandler } from '../handlers/boot/handler-explorer.js';
import { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';
import { globalHiding } from '../handlers/visibility/hiding-guards.js';
import { PreparedHandlers } from '../handlers/run/prepared-handler.js';
import { checkEndpoints } from './check-endpoints.js';
import { assembleLegacy } from './legacy.js';
import { assembleCapabilities, assembleDispatcher } from './dispatcher.js';
import { endpointGuards } from './endpoint-guards.js';
import { assembleListen } from './listen.js';
import { coreMethods } from '../methods/core-methods.js';
import { Surface } from '../methods/surface.js';
import { CallRunner } from '../methods/call-runner.js';
import { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import { LazyHandlers } from '../registration/lazy-handlers.js';
import { McpRegistrar } from '../registration/mcp-registrar.js';
import { guardUnwinding } from '../replay/unwinding-guard.js';
import { SeamRegistry } from '../seams/seam-registry.js';
import { McpNotifier } from '../subscriptions/mcp-notifier.js';
import type { LegacyEra } from '../transport/legacy/legacy-parts.js';
import type { McpTransport } from '../transport/mcp-transport.js';
import { endpointPath } from './endpoint-path.js';
import { openHttpTransport } from './open-http-transport.js';

/** Brings the server up once every module is initialised: finds the tools, assembles dispatch, opens the endpoint. Every fault is reported at once. */
@Injectable()
export class McpBootstrap implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('McpModule');
  private transport?: McpTransport;
  private readonly adopted = new Set<McpTransport>();
  private assembled?: MessageDispatcher;
  private legacyEra: LegacyEra = 'reject';
  private placed?: string;
  private releaseGuard?: () => void;

  constructor(
    @Inject(ResolvedMcpOptions) readonly options: ResolvedMcpOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(HandlerExplorer) private readonly explorer: HandlerExplorer,
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(CallRunner) private readonly calls: CallRunner,
    @Inject(Surface) private readonly surface: Surface,
    @Inject(HandlerVisibility) private readonly visibility: HandlerVisibility,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(EndpointGate) private readonly gate: EndpointGate,
    @Inject(ErrorTranslation) private readonly translation: ErrorTranslation,
    @Inject(McpNotifier) private readonly notifier: McpNotifier,
    @Inject(McpRegistrar) private readonly registrar: McpRegistrar,
    @Inject(LazyHandlers) private readonly lazy: LazyHandlers,
  ) {}

  /** The dispatcher for the messages of transports; available after boot. */
  get dispatcher(): MessageDispatcher {
    if (!this.assembled) throw new Error('The MCP server has not started yet: await app.init() or app.listen() first');
    return this.assembled;
  }

  /** The handling of clients of the 2025 revisions, for transports; settled with the dispatcher. */
  get legacy(): LegacyEra {
    return this.legacyEra;
  }

  /** The endpoint's whole path, prefix and version included. */
  get path(): string {
    return this.placed ?? this.options.path;
  }

  /** Takes a transport that was opened after boot, to close it with the application unless it is given back before. */
  adopt(transport: McpTransport): () => void {
    this.adopted.add(transport);
    return () => void this.adopted.delete(transport);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { discovery, config, options } = this;
    const seams = new SeamRegistry(discovery, options.endpoint);
    this.lazy.follow();
    const { handlers, faults: found } = await this.explorer.explore(
      seams.of<HandlerCustomizer>('handler-customizer'),
      this.surface.handlers().map(namedHandler),
    );
    const faults: DefinitionFault[] = [...checkEndpoints({ discovery, config, options }), ...found];
    this.takeOver(handlers);
    const guards = await endpointGuards(options.guards, this.moduleRef);
    this.entrance.guardBy(guards);
    this.entrance.limitBy(new CallerRates(options.rateLimit));
    const everywhere = [...this.config.getGlobalGuards(), ...guards];
    const perRequest = this.config.getGlobalRequestGuards();
    this.visibility.judgeBy(globalHiding(everywhere, perRequest, faults));
    this.assembled = this.assemble(seams, faults);
    const path = collectFault(faults, () => endpointPath(config, options)) ?? options.path;
    this.placed = path;
    this.transport = openHttpTransport(this.adapterHost.httpAdapter, {
      options: {
        path,
        limits: options.limits,
        shutdown: options.shutdown,
        allowedHosts: options.allowedHosts,
        allowedOrigins: options.allowedOrigins,
        isProtected: options.exposed !== undefined || everywhere.length + perRequest.length > 0 || this.entrance.knowsCallers,
      },
      dispatcher: this.assembled,
      legacy: this.legacyEra,
      faults,
    });
    if (faults.length > 0) throw new McpDefinitionsError(faults);
    this.releaseGuard = guardUnwinding();
    warnOfNode();
    const list = listHandlers(handlers.map(({ definition }) => definition));
    this.logger.log(this.transport ? `Serving ${path}: ${list}` : list);
  }

  /** Begins to end the endpoint, and waits for nothing: what else takes its time before the shutdown does so meanwhile, such as tasks. */
  onModuleDestroy(): void {
    void this.transport?.close();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.transport?.close(), ...[...this.adopted].map((transport) => transport.close())]);
  }

  private takeOver(handlers: readonly ExploredHandler[]): void {
    for (const { definition, prepared } of handlers) this.prepared.set(definition, prepared);
    this.surface.takeOver(handlers.map(({ definition }) => definition));
  }

  /** The last hook of all: the shutdown unwinds handlers as well, and must not end in a failure by it. */
  onApplicationShutdown(): void {
    this.releaseGuard?.();
  }

  private assemble(seams: SeamRegistry, faults: DefinitionFault[]): MessageDispatcher {
    const { calls, surface } = this;
    const { pageSize, instructions, cache } = this.options;
    this.surface.loadCompleters(faults);
    const capabilities = assembleCapabilities(seams, this.options, this.surface.offered());
    this.registrar.opened(capabilities);
    const listen = assembleListen({ options: this.options, seams, notifier: this.notifier, surface, capabilities, faults });
    const methods = [...coreMethods({ calls, surface, pageSize, instructions, capabilities, cache }), listen];
    this.translation.use(seams.of<McpErrorTranslator>('error-translator'));
    const { options, gate, translation } = this;
    const dispatcher = assembleDispatcher({ options, seams, methods, gate, translation, faults });
    this.legacyEra = assembleLegacy({ options, dispatcher, gate, capabilities, tools: this.calls.tools });
    return dispatcher;
  }
}
