import { Inject, Injectable } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ApplicationConfig,
  DiscoveryService,
  ExternalContextCreator,
  MetadataScanner,
} from '@nestjs/core';
import { ParamKind } from '../../decorators/handler-metadata.js';
import { checkNames, type NamedHandler } from '../../discovery/check-names.js';
import { findHandlers, type FoundHandler } from '../../discovery/find-handlers.js';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import { DefinitionError, faultsOf, type DefinitionFault } from '../../errors/definition-fault.js';
import { ResolvedMcpOptions } from '../../options/resolve-mcp-options.js';
import { McpValueResolver } from '../../seams/value-resolver.js';
import { constructHandler, type HandlerConstruction } from './construct-handler.js';
import { enhancerInForce, HandlerHost } from '../nest/handler-host.js';
import { resolveEnhancers } from './enhancers.js';
import type { HandlerCustomizer } from './constructed-handler.js';
import { hidingOf } from '../visibility/hiding-guards.js';
import { CompiledPipeline } from '../nest/compiled-pipeline.js';
import { NestPipeline } from '../nest/nest-pipeline.js';
import { markedParams, prepareHandler } from '../nest/prepare-handler.js';
import type { PreparedHandler } from '../run/prepared-handler.js';

/** A handler and what runs it. */
export interface ExploredHandler {
  readonly definition: HandlerDefinition;
  readonly prepared: PreparedHandler;
}

interface Exploring extends HandlerConstruction {
  readonly customizers: readonly HandlerCustomizer[];
}

/** Everything found at boot, good and bad. */
export interface Exploration {
  readonly handlers: readonly ExploredHandler[];
  readonly faults: readonly DefinitionFault[];
}

/** Finds the application's handlers at boot, prepares each to run in Nest's pipeline, and collects every fault on the way. */
@Injectable()
export class HandlerExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(ExternalContextCreator) private readonly creator: ExternalContextCreator,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(McpValueResolver) private readonly resolver: McpValueResolver,
    @Inject(ResolvedMcpOptions) private readonly options: ResolvedMcpOptions,
  ) {}

  /** Every marked method that is there now, modules that were loaded lazily included. */
  find(): FoundHandler[] {
    const { discovery, scanner } = this;
    return findHandlers({ discovery, scanner, endpoint: this.options.endpoint });
  }

  /**
   * @param added the application's customizers; the framework's own come before them
   * @param taken names that stand already
   */
  async explore(added: readonly HandlerCustomizer[], taken: readonly NamedHandler[] = []): Promise<Exploration> {
    const exploring = this.exploring(added);
    const { faults, names } = exploring;
    const handlers: ExploredHandler[] = [];
    for (const found of this.find()) {
      const handler = await this.define(found, exploring).catch((error: unknown) => {
        faults.push(...faultsOf(error));
        return undefined;
      });
      if (handler) handlers.push(handler);
    }
    faults.push(...checkNames([...names, ...taken]));
    return { handlers, faults };
  }

  /** Prepares a handler that is added at run time. @throws DefinitionError saying all that is wrong with it */
  async exploreOne(found: FoundHandler, added: readonly HandlerCustomizer[]): Promise<ExploredHandler> {
    const exploring = this.exploring(added);
    const thrown: DefinitionFault[] = [];
    const handler = await this.define(found, exploring).catch((error: unknown) => void thrown.push(...faultsOf(error)));
    const faults = [...exploring.faults, ...thrown, ...checkNames(exploring.names)];
    if (handler && faults.length === 0) return handler;
    const [problem, fix] = (['problem', 'fix'] as const).map((part) => faults.map((fault) => fault[part]).join('; '));
    throw new DefinitionError({ where: found.where, problem: problem!, fix: fix! });
  }

  private exploring(added: readonly HandlerCustomizer[]): Exploring {
    return {
      customizers: added,
      resolver: this.resolver,
      globalPipes: [...this.config.getGlobalPipes(), ...this.config.getGlobalRequestPipes().map(({ metatype }) => metatype)],
      faults: [],
      names: [],
    };
  }

  private async define(found: FoundHandler, exploring: Exploring): Promise<ExploredHandler | undefined> {
    const { where } = found;
    const { customizers, faults } = exploring;
    if (!found.declaration) {
      faults.push(
        ...found.marks.map(({ decorator }) => ({
          where,
          problem: `${decorator} is on a method that is not a tool`,
          fix: 'Add @McpTool({ description: … }).',
        })),
      );
      return undefined;
    }
    const host = new HandlerHost(found.wrapper, found.instance);
    // Before the handler is made, since its check depends on the options that its pipes have.
    const unresolved = await resolveEnhancers(host, found);
    const handler = constructHandler(found, { ...exploring, pipeInForce: (pipe) => enhancerInForce(host, pipe) });
    faults.push(...this.checkGlobalScope(host, where), ...unresolved);
    if (!handler) return undefined;
    for (const customizer of customizers) await customizer.customize(handler);
    faults.push(...handler.unclaimed(found.marks));
    if (unresolved.length > 0) return undefined;
    prepareHandler(found);
    const parts = { host, ref: found, config: this.config };
    const pipeline = host.isStatic ? new CompiledPipeline(this.creator, parts) : new NestPipeline(this.creator, parts);
    const hasContext = Object.keys(markedParams(found)).some((key) => key.startsWith(`${ParamKind.Context}:`));
    const prepared = { strata: handler.strata, pipeline, hasContext, hiding: hidingOf(host.wrapper, found, faults) };
    return { definition: handler.definition(), prepared };
  }

  /** Nest silently skips a request-scoped global enhancer around a host that it considers static. */
  private checkGlobalScope(host: HandlerHost, where: string): DefinitionFault[] {
    const scoped = this.scopedGlobals();
    if (scoped.length === 0 || !host.wrapper.isDependencyTreeStatic()) return [];
    return [
      {
        where,
        problem: `a request-scoped ${scoped.join(', ')} would be skipped for this handler, because Nest does not apply it to factory and value providers`,
        fix: 'Provide the class itself: providers: [TheClass].',
      },
    ];
  }

  /** The tokens under which the app has request-scoped global enhancers. */
  private scopedGlobals(): string[] {
    const globals = {
      [APP_GUARD]: this.config.getGlobalRequestGuards(),
      [APP_INTERCEPTOR]: this.config.getGlobalRequestInterceptors(),
      [APP_PIPE]: this.config.getGlobalRequestPipes(),
      [APP_FILTER]: this.config.getGlobalRequestFilters(),
    };
    return Object.entries(globals).flatMap(([token, scoped]) => (scoped.length > 0 ? [token] : []));
  }
}
