import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { HandlerClass } from '../discovery/find-handlers.js';
import { HandlerExplorer } from '../handlers/boot/handler-explorer.js';
import { McpRegistrar } from './mcp-registrar.js';

/**
 * Adds the handlers of modules that Nest's `LazyModuleLoader` loads. Nest announces such a load to nobody, so `load`
 * is wrapped on the application's loader: it ends when the handlers are added, or rejects with their faults.
 */
@Injectable()
export class LazyHandlers implements OnApplicationBootstrap {
  /**
   * The classes whose handlers have been added; undefined until the boot has looked for handlers, which finds
   * everything loaded before.
   */
  private known: Set<HandlerClass> | undefined;
  private former: Promise<void> = Promise.resolve();

  constructor(
    @Inject(LazyModuleLoader) loader: LazyModuleLoader,
    @Inject(HandlerExplorer) private readonly explorer: HandlerExplorer,
    @Inject(McpRegistrar) private readonly registrar: McpRegistrar,
  ) {
    const load = loader.load.bind(loader);
    loader.load = async (...given) => {
      const loaded = await load(...given);
      await this.offerNew();
      return loaded;
    };
  }

  /** Treats everything loaded so far as added, because the boot explores it in the same turn. */
  onApplicationBootstrap(): void {
    this.known = new Set(this.explorer.find().map(({ classRef }) => classRef));
  }

  /** One load after the other: each ends when its own handlers are added, whichever began first. */
  private offerNew(): Promise<void> {
    const offered = this.former.then(() => this.offerUnknown());
    this.former = offered.catch(() => undefined);
    return offered;
  }

  private async offerUnknown(): Promise<void> {
    const { known } = this;
    if (!known) return;
    // Of a module that another load is still building, that load takes care.
    const found = this.explorer.find().filter(({ classRef, wrapper }) => !known.has(classRef) && wrapper.host?.isInstantiated !== false);
    if (found.length === 0) return;
    await this.registrar.offer(found);
    for (const { classRef } of found) known.add(classRef);
  }
}
