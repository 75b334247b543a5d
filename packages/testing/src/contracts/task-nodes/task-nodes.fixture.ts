import assert from 'node:assert/strict';
import { McpRegistrar } from '@mocapi/core';
import { McpTasksModule, SystemClock, TaskStore } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestingApp } from '../../harness/create-mcp-testing-app.js';
import type { McpTestClient } from '../../harness/mcp-test-client.js';
import type { ContractCase, ContractFixture } from '../define-contract.js';
import { eventually } from '../task-seams/eventually.js';
import type { TaskStoreContractSubject } from '../task-store/task-store.fixture.js';
import { CutOffStore } from './cut-off-store.js';
import { Bodies, type HeldBody, TaskNodesTools } from './task-nodes.tools.js';

/** How long a node of the contract may be silent, in milliseconds. */
export const LEASE_MS = 500;
/** How long a case waits for an event: far longer than any lease, for busy machines. */
export const PATIENCE_MS = 10_000;

/** One of the nodes: an application over the shared data. */
export class TaskNode {
  private constructor(
    private readonly testing: McpTestingApp,
    private readonly bodies: Bodies,
    private readonly store: CutOffStore,
  ) {}

  static async start(store: TaskStore): Promise<TaskNode> {
    const [bodies, own] = [new Bodies(), new CutOffStore(store)];
    const testing = await createMcpTestingApp({
      imports: [McpTasksModule.forRoot({ lease: LEASE_MS, drain: 0, providers: [{ provide: TaskStore, useValue: own }] })],
      providers: [TaskNodesTools, { provide: Bodies, useValue: bodies }],
    });
    return new TaskNode(testing, bodies, own);
  }

  get client(): McpTestClient {
    return this.testing.client().withTasks();
  }

  get held(): readonly HeldBody[] {
    return this.bodies.held;
  }

  get steps(): readonly string[] {
    return this.bodies.steps;
  }

  /** Starts a task; resolves to its id. */
  async begin(tool: string, name: string): Promise<string> {
    const { result, raw } = await this.client.callTool(tool, { name });
    assert.equal(result?.resultType, 'task', `the call should become a task: ${raw}`);
    return result.taskId!;
  }

  /** The body of `name` on this node, once there is one. */
  async body(name: string): Promise<HeldBody> {
    return eventually(() => {
      const body = this.held.find((one) => one.name === name);
      assert(body, `a body of ${name} should run here`);
      return body;
    }, PATIENCE_MS);
  }

  /** From now on it does not know the tool, as a node of another version. */
  forget(tool: string): void {
    this.testing.app.get(McpRegistrar, { strict: false }).removeTool(tool);
  }

  /** From now on it cannot reach the store, as if it were dead or stood still. */
  cutOff(): void {
    this.store.line.cut();
  }

  /** Continues as if nothing had happened. */
  wake(): void {
    this.store.line.restore();
  }

  /** Shuts it down gracefully. */
  async close(): Promise<void> {
    this.bodies.release();
    await this.testing.close();
  }

  /** Shuts it down gracefully, while its bodies are still held. */
  async end(): Promise<void> {
    await this.testing.close();
  }
}

/** Fixture of each case: three nodes over the same data. */
export interface TaskNodesFixture {
  readonly a: TaskNode;
  readonly b: TaskNode;
  readonly c: TaskNode;
}

/** A case of the contract of nodes. */
export type TaskNodesCase = ContractCase<TaskNodesFixture>;

/** Makes fixtures of `subject`, in real time, and disposes of all they opened. */
export function nodesFixtureOf(subject: TaskStoreContractSubject): ContractFixture<TaskNodesFixture> {
  const opened = new WeakMap<TaskNodesFixture, TaskStore[]>();
  return {
    async setUp() {
      const clock = new SystemClock();
      const store = await subject.create(clock, { allowUnlimitedTtl: false });
      const peers = [(await subject.peer?.(store, clock)) ?? store, (await subject.peer?.(store, clock)) ?? store];
      const [a, b, c] = await Promise.all([store, ...peers].map((own) => TaskNode.start(own)));
      const fixture = { a: a!, b: b!, c: c! };
      opened.set(fixture, [...new Set([...peers, store])]);
      return fixture;
    },
    async tearDown(fixture) {
      const { a, b, c } = fixture;
      for (const node of [a, b, c]) node.wake();
      await Promise.all([a, b, c].map((node) => node.close().catch(() => undefined)));
      for (const store of opened.get(fixture) ?? []) await subject.dispose?.(store);
    },
  };
}
