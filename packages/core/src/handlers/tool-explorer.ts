import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ExternalContextCreator, MetadataScanner } from '@nestjs/core';
import { checkParams } from '../discovery/check-params.js';
import { checkToolNames } from '../discovery/check-tools.js';
import { findHandlers, type FoundHandler } from '../discovery/find-handlers.js';
import { resolveToolOptions } from '../discovery/resolve-options.js';
import type { ToolDefinition } from '../discovery/tool-definition.js';
import { compileToolInput } from '../discovery/tool-input.js';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import type { Tool } from '../protocol/official.js';
import { compileSchema } from '../schema/compile-schema.js';
import { McpValueResolver } from '../seams/value-resolver.js';
import { ArgumentValidation } from './argument-validation.js';
import { resolveEnhancers } from './enhancers.js';
import type { HandlerCustomizer } from './handler-customizer.js';
import { HandlerHost } from './handler-host.js';
import { NestPipeline } from './nest-pipeline.js';
import { markedParams, prepareHandler } from './prepare-handler.js';
import type { PreparedTool } from './prepared-tool.js';
import { HandlerStrata } from './strata.js';
import { ToolUnderConstruction } from './tool-under-construction.js';

/** A tool and what runs it. */
export interface ExploredTool {
  readonly definition: ToolDefinition;
  readonly prepared: PreparedTool;
}

interface Exploring {
  readonly customizers: readonly HandlerCustomizer[];
  readonly faults: DefinitionFault[];
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
    const customizers = [new ArgumentValidation(), ...added];
    const faults: DefinitionFault[] = [];
    const tools: ExploredTool[] = [];
    for (const found of findHandlers(this.discovery, this.scanner)) {
      const tool = await this.define(found, { customizers, faults }).catch((error: unknown) => {
        if (!(error instanceof DefinitionError)) throw error;
        faults.push(error.fault);
        return undefined;
      });
      if (tool) tools.push(tool);
    }
    faults.push(...checkToolNames(tools.map(({ definition }) => definition)));
    return { tools, faults };
  }

  private async define(found: FoundHandler, { customizers, faults }: Exploring): Promise<ExploredTool | undefined> {
    const { where } = found;
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
    const tool = this.construct(found, faults);
    for (const customizer of customizers) await customizer.customize(tool);
    faults.push(...tool.unclaimed(found.marks), ...this.checkGlobalScope(host, where));
    await resolveEnhancers(host, found, where);
    prepareHandler(found);
    const pipeline = new NestPipeline(this.creator, { host, ref: found, config: this.config });
    pipeline.prepare();
    return { definition: tool.definition(), prepared: { strata: tool.strata, pipeline } };
  }

  private construct(found: FoundHandler, faults: DefinitionFault[]): ToolUnderConstruction {
    const { where } = found;
    const options = resolveToolOptions(found.toolOptions!, this.resolver, where);
    const method = { ...found, params: markedParams(found) };
    faults.push(...checkParams(method));
    if (!options.description?.trim()) {
      faults.push({ where, problem: 'the tool has no description', mend: "Tell the model what it does: @McpTool({ description: '…' })." });
    }
    const inputSchema = compileToolInput(method, options);
    const outputSchema = options.outputSchema ? compileSchema(options.outputSchema, { where, use: 'output' }) : undefined;
    const descriptor = {
      name: options.name ?? found.methodName,
      ...(options.title === undefined ? {} : { title: options.title }),
      description: options.description ?? '',
      inputSchema: inputSchema.json,
      ...(outputSchema ? { outputSchema: outputSchema.json } : {}),
      ...(options.annotations ? { annotations: options.annotations } : {}),
      ...(options._meta ? { _meta: options._meta } : {}),
    } as Tool;
    return new ToolUnderConstruction({
      found,
      descriptor,
      inputSchema,
      strata: new HandlerStrata(),
      ...(outputSchema ? { outputSchema } : {}),
    });
  }

  /** Nest skips a request-scoped global guard, in silence, around a host it takes for static. */
  private checkGlobalScope(host: HandlerHost, where: string): DefinitionFault[] {
    const scoped = this.config.getGlobalRequestGuards().length > 0;
    if (!scoped || !host.wrapper.isDependencyTreeStatic()) return [];
    return [
      {
        where,
        problem:
          'a request-scoped APP_GUARD would be skipped for this tool, since Nest does not apply it to what a factory or value provides',
        mend: 'Provide the tool class itself: providers: [TheClass].',
      },
    ];
  }
}
