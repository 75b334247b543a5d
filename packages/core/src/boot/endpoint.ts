import { Inject, Injectable } from '@nestjs/common';
import { EndpointGate } from '../dispatch/endpoint-gate.js';
import type { MessageDispatcher } from '../dispatch/message-dispatcher.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import type { McpErrorTranslator } from '../errors/error-translation.js';
import type { ExploredHandler } from '../handlers/boot/handler-explorer.js';
import { PreparedHandlers } from '../handlers/run/prepared-handler.js';
import { CompleterFinder } from '../handlers/completion/completers.js';
import type { EndpointRules } from '../handlers/run/endpoint-entrance.js';
import { globalHiding } from '../handlers/visibility/hiding-guards.js';
import { CallRunner } from '../methods/call-runner.js';
import { coreMethods } from '../methods/core-methods.js';
import { Surface } from '../methods/surface.js';
import type { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import type { ServerCapabilities } from '../protocol/official.js';
import { SeamRegistry } from '../seams/seam-registry.js';
import { McpNotifier } from '../subscriptions/mcp-notifier.js';
import type { LegacyEra } from '../transport/legacy/legacy-parts.js';
import { assembleCapabilities } from './capabilities.js';
import type { EndpointPlace } from './check-endpoints.js';
import { assembleDispatcher } from './dispatcher.js';
import type { GuardsInForce } from './endpoint-guards.js';
import { assembleLegacy } from './legacy.js';
import { assembleListen } from './listen.js';

/** An endpoint that is up. Nothing of it changes any more; handlers that come and go are in its registries. */
export interface Endpoint extends EndpointRules {
  /** The whole path, prefix and version included. */
  readonly path: string;
  /** Answers the messages of transports. */
  readonly dispatcher: MessageDispatcher;
  /** The handling of clients of the 2025 revisions. */
  readonly legacy: LegacyEra;
  /** Advertised by `server/discover`. */
  readonly capabilities: ServerCapabilities;
}

/** Parts that exist before the endpoint is assembled of them. */
@Injectable()
export class BootParts {
  constructor(
    @Inject(Surface) readonly surface: Surface,
    @Inject(CallRunner) readonly calls: CallRunner,
    @Inject(PreparedHandlers) readonly prepared: PreparedHandlers,
    @Inject(EndpointGate) readonly gate: EndpointGate,
    @Inject(McpNotifier) readonly notifier: McpNotifier,
    @Inject(CompleterFinder) readonly completers: CompleterFinder,
    @Inject(SeamRegistry) readonly seams: SeamRegistry,
  ) {}

  /** Takes over the handlers that were found at boot. */
  takeOver(handlers: readonly ExploredHandler[]): void {
    for (const { definition, prepared } of handlers) this.prepared.set(definition, prepared);
    this.surface.registries.takeOver(handlers.map(({ definition }) => definition));
  }
}

/** Everything that is settled about an endpoint before it is assembled. */
export interface EndpointPlan {
  readonly options: ResolvedMcpOptions;
  readonly place: EndpointPlace;
  readonly guards: GuardsInForce;
  /** Receives everything that is wrong with it. */
  readonly faults: DefinitionFault[];
}

/** Assembles an endpoint, once, when its handlers have been taken over. */
export function assembleEndpoint({ surface, calls, gate, notifier, completers: finder, seams }: BootParts, plan: EndpointPlan): Endpoint {
  const { options, place, guards, faults } = plan;
  const { pageSize, instructions, cache } = options;
  const { registries, translation } = surface;
  const { prompts, templates } = registries;
  const hiding = globalHiding(guards.everywhere, guards.perRequest, faults);
  const completers = finder.find(
    ({ prompt, template }) => (prompt === undefined ? templates.byKey.get(template) : prompts.byKey.get(prompt)),
    faults,
  );
  const capabilities = assembleCapabilities({ options, seams, registries, completers });
  const listen = assembleListen({ options, seams, notifier, surface, capabilities, faults });
  const methods = [...coreMethods({ calls, surface, completers, pageSize, instructions, capabilities, cache }), listen];
  const dispatcher = assembleDispatcher({ options, seams, methods, gate, translation, faults });
  return Object.freeze({
    guards: guards.own,
    hiding,
    translators: seams.of<McpErrorTranslator>('error-translator'),
    capabilities,
    dispatcher,
    legacy: assembleLegacy({ options, dispatcher, gate, capabilities, tools: registries.tools }),
    path: place.path(faults),
  });
}
