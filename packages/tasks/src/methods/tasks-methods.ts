import { Inject, Injectable } from '@nestjs/common';
import { McpSeam, type McpMethod, type McpMethodContributor, type RoutedParam, type RoutedParamContributor } from '@mocapi/core/extension';
import { TaskExecutionEngine } from '../engine/task-execution-engine.js';
import { TaskReads } from '../engine/task-reads.js';
import { TaskStore } from '../store/task-store.js';
import { TaskMethod } from '../protocol/tasks-extension.js';
import { CancelTaskMethod } from './cancel-task.method.js';
import { readableOnly } from './readable-only.js';
import { GetTaskMethod } from './get-task.method.js';
import { UpdateTaskMethod } from './update-task.method.js';

/** Adds `tasks/get`, `tasks/update` and `tasks/cancel`, and the routing header each of them carries: `Mcp-Name` is the task's id. */
@Injectable()
@McpSeam('method-contributor')
@McpSeam('routed-param-contributor')
export class TasksMethods implements McpMethodContributor, RoutedParamContributor {
  constructor(
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(TaskReads) private readonly reads: TaskReads,
    @Inject(TaskExecutionEngine) private readonly engine: TaskExecutionEngine,
  ) {}

  methods(): readonly McpMethod[] {
    const { store, reads, engine } = this;
    const all = [new GetTaskMethod(reads, engine), new UpdateTaskMethod(store, engine), new CancelTaskMethod(engine)];
    return all.map((method) => readableOnly(method, engine.deploys));
  }

  routedParams(): readonly RoutedParam[] {
    return Object.values(TaskMethod).map((method) => ({ method, param: 'taskId', presence: 'required' }));
  }
}
