import {
  Inject,
  Module,
  Scope,
  type DynamicModule,
  type FactoryProvider,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { ToolRegistry } from './discovery/tool-registry.js';
import { EndpointGate } from './dispatch/endpoint-gate.js';
import { AnonymousPrincipalSource, McpPrincipalSource } from './envelope/principal-source.js';
import { McpDefinitionsError } from './errors/definition-fault.js';
import { ErrorTranslation } from './errors/error-translation.js';
import { EndpointEntrance } from './handlers/endpoint-entrance.js';
import { McpEndpoint, NestEndpointGate } from './handlers/nest-endpoint-gate.js';
import { PreparedTools } from './handlers/prepared-tool.js';
import { ToolExplorer } from './handlers/tool-explorer.js';
import { ToolFailure } from './handlers/tool-failure.js';
import { ToolInvoker } from './handlers/tool-invoker.js';
import { McpBootstrap } from './mcp-bootstrap.js';
import type { McpModuleComposition, McpModuleOptions } from './mcp-module-options.js';
import { createWireCarrier } from './mcp-runtime.js';
import { ToolCallWire } from './methods/tool-call-wire.js';
import { ToolCalls } from './methods/tool-calls.js';
import { ResolvedMcpOptions, resolveMcpOptions } from './options/resolve-mcp-options.js';
import { WireCarrier } from './replay/wire-carrier.js';
import { EnvironmentValueResolver, McpValueResolver } from './seams/value-resolver.js';

const OPTIONS = Symbol('McpModuleOptions');

/** Makes the options of a module from other providers. */
export interface McpModuleOptionsFactory {
  createMcpOptions(): McpModuleOptions | Promise<McpModuleOptions>;
}

/** What `forRootAsync` takes: one of `useFactory` (with `inject`), `useClass` and `useExisting`. */
export interface McpModuleAsyncOptions extends McpModuleComposition {
  readonly inject?: FactoryProvider['inject'];
  // The injected values are whatever the author's tokens stand for.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory?: (...args: any[]) => McpModuleOptions | Promise<McpModuleOptions>;
  readonly useClass?: Type<McpModuleOptionsFactory>;
  readonly useExisting?: Type<McpModuleOptionsFactory>;
}

/** An MCP server (revision 2026-07-28) in a Nest application: its tools are the methods that `@McpTool` marks, in any module. */
@Module({})
export class McpModule implements OnModuleInit {
  constructor(@Inject(ModuleRef) private readonly moduleRef: ModuleRef) {}

  /** One request-scoped part would make the server itself request-scoped: Nest would never start it, and the endpoint would be a silent 404. */
  onModuleInit(): void {
    if (this.moduleRef.introspect(McpBootstrap).scope === Scope.DEFAULT) return;
    throw new McpDefinitionsError([
      {
        where: 'McpModule providers',
        problem: 'a provider that the server is made of is request-scoped, or depends on one that is',
        mend: 'Make it a singleton; what differs per request, an McpPrincipalSource finds on the request it is given.',
      },
    ]);
  }

  static forRoot({ imports = [], providers = [], ...options }: McpModuleOptions & McpModuleComposition): DynamicModule {
    return compose([{ provide: OPTIONS, useValue: options }], { imports, providers });
  }

  static forRootAsync({ imports = [], providers = [], ...source }: McpModuleAsyncOptions): DynamicModule {
    return compose(asyncOptions(source), { imports, providers });
  }
}

function compose(options: Provider[], { imports, providers }: Required<McpModuleComposition>): DynamicModule {
  return {
    module: McpModule,
    global: true,
    imports: [DiscoveryModule, ...(imports as DynamicModule[])],
    providers: [...options, ...CORE_PROVIDERS, ...providers],
    exports: [ResolvedMcpOptions, McpValueResolver, McpPrincipalSource, ToolCalls, ToolRegistry, ToolInvoker, McpBootstrap],
  };
}

const CORE_PROVIDERS: Provider[] = [
  { provide: McpValueResolver, useFactory: () => new EnvironmentValueResolver() },
  {
    provide: ResolvedMcpOptions,
    inject: [OPTIONS, McpValueResolver],
    useFactory: resolveMcpOptions,
  },
  { provide: McpPrincipalSource, useClass: AnonymousPrincipalSource },
  { provide: EndpointEntrance, inject: [McpPrincipalSource], useFactory: (source: McpPrincipalSource) => new EndpointEntrance(source) },
  { provide: ToolFailure, inject: [ResolvedMcpOptions], useFactory: createToolFailure },
  McpEndpoint,
  { provide: EndpointGate, useClass: NestEndpointGate },
  { provide: WireCarrier, inject: [ResolvedMcpOptions], useFactory: createWireCarrier },
  { provide: ToolCallWire, inject: [WireCarrier], useFactory: (carrier: WireCarrier) => new ToolCallWire(carrier) },
  ToolRegistry,
  PreparedTools,
  ToolExplorer,
  ErrorTranslation,
  ToolInvoker,
  ToolCalls,
  McpBootstrap,
];

function createToolFailure({ forbiddenCode, exposeErrorMessages }: ResolvedMcpOptions): ToolFailure {
  return new ToolFailure({ exposeErrorMessages, ...(forbiddenCode === undefined ? {} : { forbiddenCode }) });
}

function asyncOptions({ inject = [], useFactory, useClass, useExisting }: McpModuleAsyncOptions): Provider[] {
  if (useFactory) return [{ provide: OPTIONS, inject, useFactory }];
  const factory = useClass ?? useExisting;
  if (!factory) throw new TypeError('McpModule.forRootAsync() needs one of useFactory, useClass and useExisting');
  const options = { provide: OPTIONS, inject: [factory], useFactory: (source: McpModuleOptionsFactory) => source.createMcpOptions() };
  return useClass ? [useClass, options] : [options];
}
