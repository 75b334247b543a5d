import { Inject, Module, Scope, type DynamicModule, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { PromptRegistry, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from './discovery/registries.js';
import { EndpointGate } from './dispatch/endpoint-gate.js';
import { AnonymousPrincipalSource, McpPrincipalSource } from './envelope/principal.js';
import { McpDefinitionsError } from './errors/definition-fault.js';
import { ErrorTranslation } from './errors/error-translation.js';
import { Completers } from './handlers/completion/completers.js';
import { EndpointEntrance } from './handlers/run/endpoint-entrance.js';
import { McpEndpoint, NestEndpointGate } from './handlers/nest/nest-endpoint-gate.js';
import { PreparedHandlers } from './handlers/run/prepared-handler.js';
import { GuardCheck } from './handlers/run/guard-check.js';
import { HandlerVisibility } from './handlers/visibility/handler-visibility.js';
import { HandlerExplorer } from './handlers/boot/handler-explorer.js';
import { GuardRefusals } from './handlers/failure/guard-refusals.js';
import { ResponseHeaders, ResponseStandIns } from './handlers/response/response-headers.js';
import { HandlerFailure } from './handlers/failure/handler-failure.js';
import { McpBootstrap } from './boot/bootstrap.js';
import { McpEndpointGuards } from './boot/endpoint-guards.js';
import {
  ENDPOINT_PARTS,
  mcpEndpointToken,
  NO_ROOT,
  partsOfRoot,
  providersOfOther,
  ROOT_LOAN_TOKENS,
  ROOT_LOANS,
} from './boot/endpoint-parts.js';
import { McpFeatureModule } from './mcp-feature.module.js';
import type { McpFeatureOptions, McpModuleComposition, McpModuleOptions } from './mcp-module-options.js';
import { createWireCarrier } from './boot/wire-carrier.js';
import { CallRunner, CallSettings } from './methods/call-runner.js';
import { Surface } from './methods/surface.js';
import { asyncOptionsProviders, type AsyncOptionsSource } from './options/async-options.js';
import { ResolvedMcpOptions, resolveMcpOptions } from './options/resolve-mcp-options.js';
import { WireCarrier } from './replay/wire-carrier.js';
import { McpNotifier } from './subscriptions/mcp-notifier.js';
import { LazyHandlers } from './registration/lazy-handlers.js';
import { McpRegistrar } from './registration/mcp-registrar.js';
import { ROOT_ENDPOINT } from './seams/endpoint.js';
import { requireProvided } from './seams/require-provided.js';
import { EnvironmentValueResolver, McpValueResolver } from './seams/value-resolver.js';

const OPTIONS = Symbol('McpModuleOptions');
const ASYNC_OPTIONS = {
  token: OPTIONS,
  module: 'McpModule',
  create: (factory: McpModuleOptionsFactory) => factory.createMcpOptions(),
};

/** Makes the options of a module from other providers. */
export interface McpModuleOptionsFactory {
  createMcpOptions(): McpModuleOptions | Promise<McpModuleOptions>;
}

/** Options of `forRootAsync`. */
export interface McpModuleAsyncOptions extends McpModuleComposition, AsyncOptionsSource<McpModuleOptions, McpModuleOptionsFactory> {
  /** Guards of the endpoint that are known without the factory; they come before its `guards`. `overrideGuard` of a testing module reaches these. */
  readonly guards?: McpModuleOptions['guards'];
}

/** An MCP server (revision 2026-07-28) in a Nest application: its tools are the methods that `@McpTool` marks, in any module. */
@Module({ providers: partsOfRoot(), exports: [...ENDPOINT_PARTS] as Type[] })
export class McpModule {
  /** @throws DefinitionError when the application has no root endpoint, as where the class was imported without `forRoot` */
  constructor(@Inject(ModuleRef) protected readonly moduleRef: ModuleRef) {
    requireProvided(moduleRef, McpValueResolver, NO_ROOT);
  }

  /** Opens an endpoint: the application's own, or with `endpoint` another one, which has its own options and parts. */
  static forRoot({ endpoint, imports, providers, ...options }: McpModuleOptions & McpModuleComposition): DynamicModule {
    const { guards = [], ...others } = options;
    return compose([{ provide: OPTIONS, useValue: others }], { endpoint, imports, providers, guards });
  }

  static forRootAsync({ endpoint, imports, providers, guards = [], ...source }: McpModuleAsyncOptions): DynamicModule {
    return compose(asyncOptionsProviders(source, ASYNC_OPTIONS), { endpoint, imports, providers, guards });
  }

  /**
   * A module whose handlers and seams belong to one endpoint, and in which `McpRegistrar`, `McpNotifier` and similar
   * parts are that endpoint's.
   */
  static forFeature(options: McpFeatureOptions): DynamicModule {
    return McpFeatureModule.of(options);
  }
}

/** The module that `forRoot` returns: it has the parts of its endpoint itself, so it lists again the parts that the class alone borrows. */
@Module({ providers: [], exports: [] })
class McpServerModule extends McpModule implements OnModuleInit {
  /** One request-scoped part would make the server itself request-scoped: Nest would never start it, and the endpoint would be a silent 404. */
  onModuleInit(): void {
    if (this.moduleRef.introspect(McpBootstrap).scope === Scope.DEFAULT) return;
    throw new McpDefinitionsError([
      {
        where: 'McpModule providers',
        problem: 'a provider of the server is request-scoped, or depends on a request-scoped one',
        fix: 'Make it a singleton. For values that differ per request, use the request that an McpPrincipalSource receives.',
      },
    ]);
  }
}

type Composition = { readonly [K in keyof McpModuleComposition]: McpModuleComposition[K] | undefined } & {
  readonly guards: NonNullable<McpModuleOptions['guards']>;
};

function compose(options: Provider[], { endpoint = ROOT_ENDPOINT, imports = [], providers = [], guards }: Composition): DynamicModule {
  const resolved: Provider = {
    provide: ResolvedMcpOptions,
    inject: [OPTIONS, McpValueResolver],
    useFactory: (given: McpModuleOptions, resolver: McpValueResolver) =>
      resolveMcpOptions({ ...given, guards: [...guards, ...(given.guards ?? [])] }, resolver, endpoint),
  };
  const own = endpoint === ROOT_ENDPOINT ? ROOT_PROVIDERS : providersOfOther(endpoint);
  return {
    module: McpServerModule,
    global: true,
    imports: [DiscoveryModule, McpEndpointGuards.of(guards, imports), ...imports],
    providers: [...options, resolved, ...own, ...CORE_PROVIDERS, ...providers],
    exports: [
      ...ENDPOINT_PARTS.map((part) => mcpEndpointToken(endpoint, part)),
      ...(endpoint === ROOT_ENDPOINT ? [McpValueResolver, McpBootstrap, ...ROOT_LOAN_TOKENS] : []),
    ],
  };
}

/** Providers that the whole application has once; another endpoint may have its own principal source. */
const ROOT_PROVIDERS: Provider[] = [
  ...ROOT_LOANS,
  { provide: McpValueResolver, useFactory: () => new EnvironmentValueResolver() },
  { provide: McpPrincipalSource, useClass: AnonymousPrincipalSource },
];

const CORE_PROVIDERS: Provider[] = [
  { provide: EndpointEntrance, inject: [McpPrincipalSource], useFactory: (source: McpPrincipalSource) => new EndpointEntrance(source) },
  { provide: HandlerFailure, inject: [ResolvedMcpOptions], useFactory: createFailure },
  {
    provide: GuardRefusals,
    inject: [ResolvedMcpOptions, HandlerFailure],
    useFactory: ({ forbiddenCode }: ResolvedMcpOptions, failure: HandlerFailure) => new GuardRefusals(forbiddenCode, failure),
  },
  {
    provide: ResponseStandIns,
    inject: [ResolvedMcpOptions],
    useFactory: ({ responseHeaders }: ResolvedMcpOptions) => new ResponseStandIns(new ResponseHeaders(responseHeaders)),
  },
  McpEndpoint,
  { provide: EndpointGate, useClass: NestEndpointGate },
  { provide: WireCarrier, inject: [ResolvedMcpOptions], useFactory: createWireCarrier },
  {
    provide: CallSettings,
    inject: [ResolvedMcpOptions],
    useFactory: ({ cache, limits, logging, rateLimit }: ResolvedMcpOptions): CallSettings => ({
      maxUriLength: limits.maxUriLength,
      cache,
      logging,
      notifications: rateLimit.notifications,
    }),
  },
  McpNotifier,
  ToolRegistry,
  PreparedHandlers,
  HandlerExplorer,
  ErrorTranslation,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  HandlerVisibility,
  GuardCheck,
  Completers,
  Surface,
  CallRunner,
  McpRegistrar,
  LazyHandlers,
  McpBootstrap,
];

function createFailure({ exposeErrorMessages }: ResolvedMcpOptions): HandlerFailure {
  return new HandlerFailure({ exposeErrorMessages });
}
