import type { JsonObject, McpPrincipal, McpResult } from '@mocapi/core';
import type { DispatchContext, Exchange, McpMethod, CallRunner } from '@mocapi/core/extension';
import { ROOT_ENDPOINT, type ResolvedMcpOptions } from '@mocapi/core/internal';
import {
  InProcessTaskExecutor,
  type ResolvedTasksOptions,
  TaskExecutionEngine,
  TASKS_EXTENSION,
  taskSettingsOf,
  type TaskStore,
} from '@mocapi/tasks';
import { TaskReads } from '../../../src/engine/task-reads.js';
import { CancelTaskMethod } from '../../../src/methods/cancel-task.method.js';
import { GetTaskMethod } from '../../../src/methods/get-task.method.js';
import { UpdateTaskMethod } from '../../../src/methods/update-task.method.js';
import { TaskSubscriptions } from '../../../src/pushes/task-subscriptions.js';
import { TaskWatches } from '../../../src/pushes/task-watches.js';
import type { NodeClock } from './node-clock.js';
import type { SimulatedProcess } from './simulated-process.js';

/** What a node is made of. */
export interface NodeParts {
  readonly process: SimulatedProcess;
  readonly clock: NodeClock;
  readonly calls: CallRunner;
  readonly store: TaskStore;
  readonly options: ResolvedTasksOptions;
}

/** A request of a client. */
export interface NodeRequest {
  readonly method: 'tools/call' | 'tasks/get' | 'tasks/update' | 'tasks/cancel';
  readonly params: JsonObject;
  readonly principal: McpPrincipal | undefined;
  readonly exchange: Exchange;
  /** Of the task that a call becomes. */
  readonly ttlMs?: number;
}

const SERVER = {
  endpoint: ROOT_ENDPOINT,
  serverInfo: { name: 'simulation', version: '1' },
  limits: { maxWatched: 100 },
} as unknown as ResolvedMcpOptions;
const ENVELOPE = { protocolVersion: '2026-07-28', clientCapabilities: { elicitation: {}, extensions: { [TASKS_EXTENSION]: {} } } };

/** One node: the real engine, methods and pushes, on a store and a clock of the simulation. */
export class SimulatedNode {
  /** Whether it takes requests: from its boot until it has left. */
  isUp = false;
  readonly executor: InProcessTaskExecutor;
  readonly watches: TaskWatches;
  readonly subscriptions: TaskSubscriptions;
  private readonly engine: TaskExecutionEngine;
  private readonly methods: readonly McpMethod[];

  constructor(readonly parts: NodeParts) {
    const { calls, store, clock, options } = parts;
    this.executor = new InProcessTaskExecutor(options.limits);
    const reads = new TaskReads(store, clock);
    this.engine = new TaskExecutionEngine(calls, store, this.executor, clock, options, SERVER, reads);
    this.watches = new TaskWatches(store, clock);
    this.subscriptions = new TaskSubscriptions(store, this.watches, clock, SERVER);
    this.methods = [new GetTaskMethod(reads, this.engine), new UpdateTaskMethod(store, this.engine), new CancelTaskMethod(this.engine)];
  }

  get name(): string {
    return this.parts.process.name;
  }

  async boot(): Promise<void> {
    await this.engine.onApplicationBootstrap();
    this.isUp = true;
  }

  /** What the end of the application does, as far as tasks go. */
  async drain(): Promise<void> {
    await this.engine.beforeApplicationShutdown();
    this.isUp = false;
  }

  /** @throws McpError as the client would be told */
  async serve(request: NodeRequest): Promise<McpResult> {
    const context = contextOf(request);
    if (request.method !== 'tools/call') return this.methods.find(({ name }) => name === request.method)!.handle(context);
    const { name, arguments: args } = request.params as { name: string; arguments: JsonObject };
    const tool = this.parts.calls.tools.byKey.get(name)!;
    const settings = { ...taskSettingsOf(tool)!, ttlMs: request.ttlMs! };
    return this.engine.start({ context, call: { kind: 'tool', name, handler: tool, arguments: args }, settings });
  }
}

/** A request as dispatch hands it on. */
export function contextOf({ method, params, principal, exchange }: NodeRequest): DispatchContext {
  return { id: 1, endpoint: ROOT_ENDPOINT, method, params, envelope: ENVELOPE, exchange, ...(principal ? { principal } : {}) };
}
