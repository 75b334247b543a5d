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
        `${this.where}: all callers are anonymous, so whoever knows a task id may read and answer the task. Provide an McpPrincipalSource, or guards for the endpoint`,
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
        `${this.where}: tasks are stored in the memory of this process: a restart loses them, and no other node sees them. For production, import a module with a shared store, such as McpTasksRedisModule.forRoot(…), or provide a TaskStore`,
      );
      return;
    }
    const { description } = this.store;
    const what = `${this.store.constructor.name}${description === undefined ? '' : ` (${description})`}`;
    this.logger.log(`Tasks are stored by ${what}, ${this.choice.reasonFor(this.store)}`);
    if (!this.store.runIndex) {
      this.logger.warn(`${this.where}: the store has no run index, so the tasks of a dead node stay working until they expire`);
    }
    if (!this.store.changeFeed) {
      this.logger.warn(
        `${this.where}: the store has no change feed, so a task cancelled on another node still runs here until it ends, and listening clients receive no task changes`,
      );
    }
  }
}
