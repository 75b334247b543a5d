import { Inject, Injectable, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DefinitionError } from '@mocapi/core';
import { McpEndpointBinding } from '@mocapi/core/internal';
import { ResolvedTasksOptions } from '../options/resolve-tasks-options.js';
import { Clock } from './clock.js';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { SHARED_TASK_STORE, SharedTaskStore } from './shared-task-store.js';
import type { TaskStore } from './task-store.js';

/**
 * Which store keeps the tasks unless a `TaskStore` was provided: the one that an imported module offers, else the memory of this process. It opens that
 * one and no other.
 */
@Injectable()
export class StoreChoice {
  private opened: TaskStore | undefined;

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Optional() @Inject(SHARED_TASK_STORE) private readonly shared: SharedTaskStore | undefined,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ResolvedTasksOptions) private readonly options: ResolvedTasksOptions,
    @Inject(McpEndpointBinding) private readonly binding: McpEndpointBinding,
  ) {}

  /**
   * Opens the store.
   * @throws DefinitionError when two modules offer one, or when the one that is offered can't be seen from here
   */
  async open(): Promise<TaskStore> {
    const offers = [...this.modules.values()].filter((module) => module.providers.has(SHARED_TASK_STORE));
    const names = offers.map((module) => module.metatype.name);
    if (names.length > 1) throw severalOffers(names);
    if (names.length === 1 && !this.shared) throw hiddenOffer(names[0]!);
    return (this.opened = this.shared ? await this.shared.open(this.binding.endpoint, this.options.limits) : this.inMemory());
  }

  /** Why `store` keeps the tasks, as the boot's message says it. */
  reasonFor(store: TaskStore): string {
    if (store !== this.opened) return 'as provided';
    return this.shared ? `which ${this.shared.offeredBy} offers` : 'because there is no other store';
  }

  private inMemory(): TaskStore {
    const { limits, sweepIntervalMs } = this.options;
    return new InMemoryTaskStore(this.clock, { ...limits, sweepIntervalMs });
  }
}

function severalOffers(names: readonly string[]): DefinitionError {
  return new DefinitionError({
    where: 'McpTasksModule',
    problem: `${names.length} modules provide a shared task store: ${names.join(' and ')}`,
    fix: 'Import only one of them, or set the store yourself: McpTasksModule.forRoot({ providers: [{ provide: TaskStore, … }] }).',
  });
}

function hiddenOffer(name: string): DefinitionError {
  return new DefinitionError({
    where: 'McpTasksModule',
    problem: `${name} has a shared task store, but does not export it to McpTasksModule`,
    fix: `Export SHARED_TASK_STORE from ${name} and make that module global, or import it here: McpTasksModule.forRoot({ imports: [${name}] }).`,
  });
}
