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
import { checkToolNames } from '../discovery/check-tools.js';
import { findHandlers, type FoundHandler } from '../discovery/find-handlers.js';
import type { ToolDefinition } from '../discovery/tool-definition.js';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import { McpValueResolver } from '../seams/value-resolver.js';
import { ArgumentValidation } from './argument-validation.js';
import { constructTool, type ToolConstruction } from './construct-tool.js';
import { resolveEnhancers } from './enhancers.js';
import type { HandlerCustomizer } from './handler-customizer.js';
import { HandlerHost } from './handler-host.js';
import { NestPipeline } from './nest-pipeline.js';
import { prepareHandler } from './prepare-handler.js';
import type { PreparedTool } from './prepared-tool.js';

/** A tool and what runs it. */
export interface ExploredTool {
  readonly definition: ToolDefinition;
  readonly prepared: PreparedTool;
}

interface Exploring extends ToolConstruction {
  readonly customizers: readonly HandlerCustomizer[];
}

/** Everything found at boot, good and bad. */
export interface Exploration {
  readonly tools: readonly ExploredTool[];
  readonly faults: readonly DefinitionFault[];
}

/** Finds the application's tools at boot, prepares each to run in Nest's pipeline, and collects every fault on the way. */
@Injectable()
export class ToolExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(ExternalContextCreator) private readonly creator: ExternalContextCreator,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(McpValueResolver) private readonly resolver: McpValueResolver,
  ) {}

  /** @param added the application's customizers; the framework's own come before them */
  async explore(added: readonly HandlerCustomizer[]): Promise<Exploration> {
    const exploring: Exploring = { customizers: [new ArgumentValidation(), ...added], resolver: this.resolver, faults: [], names: [] };
    const { faults, names } = exploring;
    const tools: ExploredTool[] = [];
    for (const found of findHandlers(this.discovery, this.scanner)) {
      const tool = await this.define(found, exploring).catch((error: unknown) => {
        if (!(error instanceof DefinitionError)) throw error;
        faults.push(error.fault);
        return undefined;
      });
      if (tool) tools.push(tool);
    }
    faults.push(...checkToolNames(names));
    return { tools, faults };
  }

  private async define(found: FoundHandler, exploring: Exploring): Promise<ExploredTool | undefined> {
    const { where } = found;
    const { customizers, faults } = exploring;
    if (!found.toolOptions) {
      faults.push(
        ...found.marks.map(({ decorator }) => ({
          where,
          problem: `${decorator} stands on a method that is no tool`,
          mend: 'Add @McpTool({ description: … }).',
        })),
      );
      return undefined;
    }
    const host = new HandlerHost(found.wrapper);
    const tool = constructTool(found, exploring);
    const unresolved = await resolveEnhancers(host, found);
    faults.push(...this.checkGlobalScope(host, where), ...unresolved);
    if (!tool) return undefined;
    for (const customizer of customizers) await customizer.customize(tool);
    faults.push(...tool.unclaimed(found.marks));
    if (unresolved.length > 0) return undefined;
    prepareHandler(found);
    const pipeline = new NestPipeline(this.creator, { host, ref: found, config: this.config });
    pipeline.prepare();
    return { definition: tool.definition(), prepared: { strata: tool.strata, pipeline } };
  }

  /** Nest skips a request-scoped global enhancer, in silence, around a host it takes for static. */
  private checkGlobalScope(host: HandlerHost, where: string): DefinitionFault[] {
    const scoped = this.scopedGlobals();
    if (scoped.length === 0 || !host.wrapper.isDependencyTreeStatic()) return [];
    return [
      {
        where,
        problem: `a request-scoped ${scoped.join(', ')} would be skipped for this tool, since Nest does not apply it to what a factory or value provides`,
        mend: 'Provide the tool class itself: providers: [TheClass].',
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
