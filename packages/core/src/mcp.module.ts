import { Inject, Module, Scope, type DynamicModule, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { McpDefinitionsError } from './errors/definition-fault.js';
import { McpBootstrap } from './boot/bootstrap.js';
import { McpEndpointGuards } from './boot/endpoint-guards.js';
import {
  bindToMcpEndpoint,
  ENDPOINT_PARTS,
  mcpEndpointToken,
  NO_ROOT,
  partsOfRoot,
  providersOfOther,
  ROOT_LOAN_TOKENS,
} from './boot/endpoint-parts.js';
import type { McpFeatureOptions, McpModuleComposition, McpModuleOptions } from './mcp-module-options.js';
import { asyncOptionsProviders, type AsyncOptionsSource } from './options/async-options.js';
import { ResolvedMcpOptions, resolveMcpOptions } from './options/resolve-mcp-options.js';
import { ROOT_ENDPOINT } from './seams/endpoint.js';
import { requireProvided } from './seams/require-provided.js';
import { McpValueResolver } from './seams/value-resolver.js';
import { CORE_PROVIDERS, ROOT_PROVIDERS } from './boot/providers.js';

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

/** The module that `McpModule.forFeature` returns: it is bound to an endpoint. */
@Module({})
class McpFeatureModule {
  static of({ endpoint, imports = [], providers = [], controllers = [], exports = [] }: McpFeatureOptions): DynamicModule {
    return {
      module: McpFeatureModule,
      imports: [...imports],
      providers: [...bindToMcpEndpoint(endpoint), ...providers],
      controllers: [...controllers],
      exports: [...exports],
    };
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
  const isRoot = endpoint === ROOT_ENDPOINT;
  const own = isRoot ? ROOT_PROVIDERS : providersOfOther(endpoint);
  const lent = isRoot ? [McpValueResolver, McpBootstrap, ...ROOT_LOAN_TOKENS] : [];
  return {
    module: McpServerModule,
    global: true,
    imports: [DiscoveryModule, McpEndpointGuards.of(guards, imports), ...imports],
    providers: [...options, resolved, ...own, ...CORE_PROVIDERS, ...providers],
    exports: [...ENDPOINT_PARTS.map((part) => mcpEndpointToken(endpoint, part)), ...lent],
  };
}
