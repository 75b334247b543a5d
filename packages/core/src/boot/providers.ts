import { PromptRegistry, Registries, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from '../discovery/registries.js';
import { EndpointGate } from '../dispatch/endpoint-gate.js';
import { AnonymousPrincipalSource, McpPrincipalSource } from '../envelope/principal.js';
import { ErrorTranslation } from '../errors/error-translation.js';
import { CompleterFinder } from '../handlers/completion/completers.js';
import { EndpointEntrance, type EndpointRules } from '../handlers/run/endpoint-entrance.js';
import { McpEndpoint, NestEndpointGate } from '../handlers/nest/nest-endpoint-gate.js';
import { PreparedHandlers } from '../handlers/run/prepared-handler.js';
import { GuardCheck } from '../handlers/run/guard-check.js';
import { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';
import { HandlerExplorer } from '../handlers/boot/handler-explorer.js';
import { GuardRefusals } from '../handlers/failure/guard-refusals.js';
import { ResponseHeaders, ResponseStandIns } from '../handlers/response/response-headers.js';
import { HandlerFailure } from '../handlers/failure/handler-failure.js';
import { McpBootstrap } from './bootstrap.js';
import { ROOT_LOANS } from './endpoint-parts.js';
import { CallRunner, CallSettings } from '../methods/call-runner.js';
import { Surface } from '../methods/surface.js';
import { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import { WireCarrier } from '../replay/wire-carrier.js';
import { McpNotifier } from '../subscriptions/mcp-notifier.js';
import { LazyHandlers } from '../registration/lazy-handlers.js';
import { McpRegistrar } from '../registration/mcp-registrar.js';
import { EnvironmentValueResolver, McpValueResolver } from '../seams/value-resolver.js';
import { Logger, type Provider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CallerRates } from '../envelope/caller-rates.js';
import { EndpointHandle } from '../seams/endpoint-handle.js';
import { SeamRegistry } from '../seams/seam-registry.js';
import { EndpointPlace } from './check-endpoints.js';
import { BootParts } from './endpoint.js';
import { GuardFinder } from './endpoint-guards.js';
import { EndpointTransports } from './transports.js';
import { deriveKeys, ephemeralKeyRing } from '../replay/key-ring.js';
import { RequestStateCodec } from '../replay/request-state-codec.js';

const logger = new Logger('McpModule');

/** Providers that the whole application has once; another endpoint may have its own principal source. */
export const ROOT_PROVIDERS: Provider[] = [
  ...ROOT_LOANS,
  { provide: McpValueResolver, useFactory: () => new EnvironmentValueResolver() },
  { provide: McpPrincipalSource, useClass: AnonymousPrincipalSource },
];

/** Providers that each endpoint has of its own. */
export const CORE_PROVIDERS: Provider[] = [
  EndpointHandle,
  {
    provide: SeamRegistry,
    inject: [DiscoveryService, ResolvedMcpOptions],
    useFactory: (discovery: DiscoveryService, { endpoint }: ResolvedMcpOptions) => new SeamRegistry(discovery, endpoint),
  },
  {
    provide: EndpointEntrance,
    inject: [McpPrincipalSource, ResolvedMcpOptions, EndpointHandle],
    useFactory: (source: McpPrincipalSource, { rateLimit }: ResolvedMcpOptions, handle: EndpointHandle<EndpointRules>) =>
      new EndpointEntrance(source, new CallerRates(rateLimit), handle),
  },
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
  {
    provide: ErrorTranslation,
    inject: [EndpointHandle],
    useFactory: (handle: EndpointHandle<EndpointRules>) => new ErrorTranslation(handle),
  },
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  {
    provide: Registries,
    inject: [ToolRegistry, PromptRegistry, ResourceRegistry, ResourceTemplateRegistry],
    useFactory: (...kinds: ConstructorParameters<typeof Registries>) => new Registries(...kinds),
  },
  HandlerVisibility,
  GuardCheck,
  CompleterFinder,
  Surface,
  CallRunner,
  McpRegistrar,
  LazyHandlers,
  EndpointPlace,
  GuardFinder,
  BootParts,
  EndpointTransports,
  McpBootstrap,
];

function createFailure({ exposeErrorMessages }: ResolvedMcpOptions): HandlerFailure {
  return new HandlerFailure({ exposeErrorMessages });
}

/** The wire carrier under the configured keys, or under a random one of this process, which is said at boot. */
function createWireCarrier({ endpoint, requestState }: ResolvedMcpOptions): WireCarrier {
  if (!requestState.keys) {
    logger.warn(
      `Endpoint "${endpoint}": requestState.keys is not set, so only this process, and only until it restarts, accepts answers to questions outside of tasks`,
    );
  }
  const keys = deriveKeys(requestState.keys ?? ephemeralKeyRing());
  return new WireCarrier(new RequestStateCodec({ keys, ttlMs: requestState.ttlMs, maxLength: requestState.maxLength, now: Date.now }));
}
