import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { EndpointGate } from './dispatch/endpoint-gate.js';
import type { MessageDispatcher } from './dispatch/message-dispatcher.js';
import { McpDefinitionsError, type DefinitionFault } from './errors/definition-fault.js';
import { ErrorTranslation, type McpErrorTranslator } from './errors/error-translation.js';
import { EndpointEntrance } from './handlers/endpoint-entrance.js';
import type { HandlerCustomizer } from './handlers/handler-customizer.js';
import { ToolExplorer } from './handlers/tool-explorer.js';
import { assembleCapabilities, assembleDispatcher } from './mcp-server.js';
import { endpointGuards } from './mcp-runtime.js';
import { coreMethods } from './methods/core-methods.js';
import { ToolCalls } from './methods/tool-calls.js';
import { ResolvedMcpOptions } from './options/resolve-mcp-options.js';
import { guardUnwinding } from './replay/unwinding-guard.js';
import { SeamRegistry } from './seams/seam-registry.js';
import type { McpTransport } from './transport/mcp-transport.js';
import { openHttpTransport } from './transport/open-http-transport.js';

/** Brings the server up once every module is initialised: finds the tools, assembles dispatch, opens the endpoint. Every fault is reported at once. */
@Injectable()
export class McpBootstrap implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('McpModule');
  private transport?: McpTransport;
  private assembled?: MessageDispatcher;
  private releaseGuard?: () => void;

  constructor(
    @Inject(ResolvedMcpOptions) private readonly options: ResolvedMcpOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(ToolExplorer) private readonly explorer: ToolExplorer,
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(EndpointEntrance) private readonly entrance: EndpointEntrance,
    @Inject(EndpointGate) private readonly gate: EndpointGate,
    @Inject(ErrorTranslation) private readonly translation: ErrorTranslation,
  ) {}

  /** What transports hand their messages to; there after boot. */
  get dispatcher(): MessageDispatcher {
    if (!this.assembled) throw new Error('The MCP server is not up yet: await app.init() or app.listen() first');
    return this.assembled;
  }

  async onApplicationBootstrap(): Promise<void> {
    const seams = new SeamRegistry(this.discovery);
    const { tools, faults: found } = await this.explorer.explore(seams.of<HandlerCustomizer>('handler-customizer'));
    const faults: DefinitionFault[] = [...found];
    this.calls.fill(tools);
    this.entrance.guardBy(await endpointGuards(this.options, this.moduleRef));
    this.assembled = this.assemble(seams, faults);
    this.transport = openHttpTransport(this.adapterHost.httpAdapter, { options: this.options, dispatcher: this.assembled, faults });
    if (faults.length > 0) throw new McpDefinitionsError(faults);
    this.releaseGuard = guardUnwinding();
    this.logger.log(`${tools.length} tools at ${this.options.path}`);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.transport?.close();
  }

  /** The last hook of all: the shutdown unwinds handlers as well, and must not end in a failure by it. */
  onApplicationShutdown(): void {
    this.releaseGuard?.();
  }

  private assemble(seams: SeamRegistry, faults: DefinitionFault[]): MessageDispatcher {
    const { pageSize, instructions } = this.options;
    const methods = coreMethods({ calls: this.calls, pageSize, instructions, capabilities: assembleCapabilities(seams) });
    this.translation.use(seams.of<McpErrorTranslator>('error-translator'));
    return assembleDispatcher({ options: this.options, seams, methods, gate: this.gate, translation: this.translation, faults });
  }
}
