import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { McpPrincipalSource } from '@mocapi/core';
import { InjectRequired, AnonymousPrincipalSource, ResolvedMcpOptions } from '@mocapi/core/internal';
import { InMemoryTaskStore } from './store/in-memory-task-store.js';
import { StoreChoice } from './store/store-choice.js';
import { TaskStore } from './store/task-store.js';

/** Says at boot where tasks live, and what that does not give. */
@Injectable()
export class TasksBootstrap implements OnApplicationBootstrap {
  private readonly logger = new Logger('McpTasks');

  constructor(
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(StoreChoice) private readonly choice: StoreChoice,
    @InjectRequired(McpPrincipalSource) private readonly source: McpPrincipalSource,
    @InjectRequired(ResolvedMcpOptions) private readonly server: ResolvedMcpOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.sayStore();
    if (this.source instanceof AnonymousPrincipalSource && this.server.guards.length === 0) {
      this.logger.warn(
        `${this.where}: nobody is told apart: whoever knows a task id may read and answer it. Provide an McpPrincipalSource, or guards for the endpoint`,
      );
    }
  }

  /** An application may have several endpoints, and their warnings look alike. */
  private get where(): string {
    return `Endpoint "${this.server.endpoint}"`;
  }

  private sayStore(): void {
    if (this.store instanceof InMemoryTaskStore) {
      this.logger.warn(
        `${this.where}: tasks are kept in the memory of this process: a restart loses them, and no other node sees them. For production import a module that offers a shared store, such as McpTasksRedisModule.forRoot(…), or provide a TaskStore`,
      );
      return;
    }
    const { description } = this.store;
    const what = `${this.store.constructor.name}${description === undefined ? '' : ` (${description})`}`;
    this.logger.log(`Tasks are kept by ${what}, ${this.choice.reasonFor(this.store)}`);
    if (!this.store.runIndex) {
      this.logger.warn(`${this.where}: the store has no run index: tasks of a node that dies stay working until they expire`);
    }
    if (!this.store.changeFeed) {
      this.logger.warn(
        `${this.where}: the store has no change feed: a task cancelled on another node runs on here until it ends, and clients that listen hear of no task`,
      );
    }
  }
}
