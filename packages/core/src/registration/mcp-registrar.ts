import { Inject, Injectable, type CanActivate, type Type } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { checkNames, namedHandler } from '../discovery/check-names.js';
import type { FoundHandler } from '../discovery/find-handlers.js';
import type { HandlerDefinition, HandlerKind } from '../discovery/handler-definition.js';
import { Registries, type HandlerRegistry } from '../discovery/registries.js';
import { DefinitionError, faultsOf, McpDefinitionsError, type DefinitionFault } from '../errors/definition-fault.js';
import type { HandlerCustomizer } from '../handlers/boot/constructed-handler.js';
import { HandlerExplorer, type ExploredHandler } from '../handlers/boot/handler-explorer.js';
import { McpEndpoint } from '../handlers/nest/nest-endpoint-gate.js';
import { PreparedHandlers } from '../handlers/run/prepared-handler.js';
import type { JsonObject } from '../protocol/json.js';
import type { ServerCapabilities } from '../protocol/official.js';
import type { SchemaSource } from '../schema/schema-source.js';
import { EndpointHandle } from '../seams/endpoint-handle.js';
import { SeamRegistry } from '../seams/seam-registry.js';
import { McpNotifier } from '../subscriptions/mcp-notifier.js';
import { addedDeclaration, type AnyRegistration } from './added-declaration.js';
import { declareAdded } from './declare-added.js';
import type { PromptRegistration, ResourceRegistration, ResourceTemplateRegistration, ToolRegistration } from './registrations.js';

/** Where the handlers of one kind are kept, and the list whose change clients hear of. */
interface Place {
  readonly list: 'tools' | 'prompts' | 'resources';
  readonly registry: HandlerRegistry<HandlerDefinition>;
  readonly changed: () => void;
}

/** The endpoint, as the registrar reads it: handlers of a kind that was not advertised can no longer be added once it is up. */
interface AdvertisingEndpoint {
  readonly capabilities: ServerCapabilities;
}

/**
 * Adds and removes tools, prompts, resources and templates while the server runs. An added handler is like one that
 * decorators declare: the same checks, guards, validation and replay. Listening clients are notified, and calls in
 * flight finish. It changes only this process: with several nodes, add the handler on each. A handler that is added
 * before the server has started, as in `onModuleInit`, counts as declared.
 */
@Injectable()
export class McpRegistrar {
  private readonly places: Readonly<Record<HandlerKind, Place>>;
  private customizers: readonly HandlerCustomizer[] | undefined;

  constructor(
    @Inject(HandlerExplorer) private readonly explorer: HandlerExplorer,
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(SeamRegistry) private readonly seams: SeamRegistry,
    @Inject(EndpointHandle) private readonly endpoint: EndpointHandle<AdvertisingEndpoint>,
    @Inject(McpNotifier) notifier: McpNotifier,
    @Inject(Registries) { tools, prompts, resources, templates }: Registries,
  ) {
    const place = (list: Place['list'], registry: unknown, changed: () => void): Place => ({
      list,
      registry: registry as Place['registry'],
      changed,
    });
    this.places = {
      tool: place('tools', tools, () => notifier.toolsChanged()),
      prompt: place('prompts', prompts, () => notifier.promptsChanged()),
      resource: place('resources', resources, () => notifier.resourcesChanged()),
      'resource-template': place('resources', templates, () => notifier.resourcesChanged()),
    };
  }

  /**
   * Adds a tool.
   * @throws DefinitionError with its mistake, such as a name that is taken; nothing is added then
   */
  addTool<S extends SchemaSource = JsonObject>(tool: ToolRegistration<S>): Promise<void> {
    return this.add('tool', tool as AnyRegistration);
  }

  /** Removes a tool, an added or a declared one. @returns whether there was one of the name */
  removeTool(name: string): boolean {
    return this.remove('tool', name);
  }

  /** Adds a prompt. @throws DefinitionError as `addTool` does */
  addPrompt<S extends SchemaSource = JsonObject>(prompt: PromptRegistration<S>): Promise<void> {
    return this.add('prompt', prompt as AnyRegistration);
  }

  /** Removes a prompt. @returns whether there was one of the name */
  removePrompt(name: string): boolean {
    return this.remove('prompt', name);
  }

  /** Adds a resource. @throws DefinitionError as `addTool` does */
  addResource(resource: ResourceRegistration): Promise<void> {
    return this.add('resource', resource);
  }

  /** Removes a resource. @returns whether there was one of the URI */
  removeResource(uri: string): boolean {
    return this.remove('resource', uri);
  }

  /** Adds a resource template. @throws DefinitionError as `addTool` does */
  addResourceTemplate<S extends SchemaSource = JsonObject>(template: ResourceTemplateRegistration<S>): Promise<void> {
    return this.add('resource-template', template as AnyRegistration);
  }

  /** Removes a resource template. @returns whether there was one like it */
  removeResourceTemplate(uriTemplate: string): boolean {
    return this.remove('resource-template', uriTemplate);
  }

  /** Adds the handlers of providers that came after the boot. @throws McpDefinitionsError listing all that is wrong; nothing is added then */
  async offer(found: readonly FoundHandler[]): Promise<void> {
    const faults: DefinitionFault[] = [];
    const explored: ExploredHandler[] = [];
    for (const handler of found) {
      try {
        if (handler.declaration) this.checkOffered(this.places[handler.declaration.kind], handler.where);
        explored.push(await this.explorer.exploreOne(handler, this.ownCustomizers()));
      } catch (error) {
        faults.push(...faultsOf(error));
      }
    }
    const registered = [...new Set(Object.values(this.places).flatMap(({ registry }) => registry.list()))];
    faults.push(...checkNames([...registered, ...explored.map(({ definition }) => definition)].map(namedHandler)));
    if (faults.length > 0) throw new McpDefinitionsError(faults);
    for (const handler of explored) this.commit(handler, this.places[handler.definition.kind]);
  }

  private ownCustomizers(): readonly HandlerCustomizer[] {
    return (this.customizers ??= this.seams.of<HandlerCustomizer>('handler-customizer'));
  }

  private async add(kind: HandlerKind, registration: AnyRegistration): Promise<void> {
    const where = `McpRegistrar, ${kind} "${registration.name}"`;
    const place = this.places[kind];
    this.checkOffered(place, where);
    const { handler, guards = [], decorators = [] } = registration;
    const found = declareAdded({
      declaration: addedDeclaration(kind, registration),
      where,
      handler,
      guards: await Promise.all(guards.map((guard) => this.guard(guard))),
      decorators,
      wrapper: this.discovery.getProviders().find(({ token }) => token === McpEndpoint)!,
    });
    this.commit(await this.explorer.exploreOne(found, this.ownCustomizers()), place);
  }

  /** In one step, so that nothing can come between the check of the names and the addition. */
  private commit({ definition, prepared }: ExploredHandler, { registry, changed }: Place): void {
    const [fault] = checkNames([...registry.list(), definition].map(namedHandler));
    if (fault) throw new DefinitionError(fault);
    this.prepared.set(definition, prepared);
    registry.add(definition);
    changed();
  }

  private remove(kind: HandlerKind, key: string): boolean {
    const { registry, changed } = this.places[kind];
    const removed = registry.remove(key);
    if (!removed) return false;
    this.prepared.delete(removed);
    changed();
    return true;
  }

  private checkOffered({ list }: Place, where: string): void {
    const endpoint = this.endpoint.published;
    if (!endpoint || endpoint.capabilities[list]) return;
    throw new DefinitionError({
      where,
      problem: `at startup this server advertised no ${list}, so it does not answer their methods`,
      fix: `Announce that there will be some: McpModule.forRoot({ advertise: ['${list}'] }).`,
    });
  }

  private async guard(guard: CanActivate | Type<CanActivate>): Promise<CanActivate> {
    if (typeof guard !== 'function') return guard;
    try {
      return this.moduleRef.get(guard, { strict: false });
    } catch {
      return this.moduleRef.create(guard);
    }
  }
}
