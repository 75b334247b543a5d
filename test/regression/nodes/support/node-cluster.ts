import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { Clock, InMemoryTaskStore, McpTask, McpTasksModule, taskKeyOf, TaskStore, type TaskRecord } from '@mocapi/tasks';
import { createMcpTestingApp, FakeClock, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Inject, Injectable } from '@nestjs/common';
import { turns } from '../../../support/flow.js';
import { behind, Line } from './cut-off.js';

/** The default lease, in milliseconds. */
export const LEASE_MS = 15_000;
/** Lease and two beats of which each may come a quarter late: when what a dead node ran has been taken over at the latest. */
export const BOUND_MS = LEASE_MS + 2.5 * (LEASE_MS / 5);

/** One execution of a body. */
export interface Execution {
  readonly node: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** What the bodies of a node are given. */
class World {
  node = '';
  clock!: Clock;
  executions: Execution[] = [];
  charged: string[] = [];
  /** Holds bodies before their step. */
  gates = new Map<string, Promise<void>>();
}

@Injectable()
class Tools {
  constructor(@Inject(World) private readonly world: World) {}

  @McpTool({ description: 'Works for a time; may be repeated' })
  @McpTask({ recover: 'replay' })
  async repeatable(@McpArg('name') name: string, @McpArg('ms') ms: string, @McpContext() ctx: McpToolContext): Promise<string> {
    return this.work(name, Number(ms), ctx);
  }

  @McpTool({ description: 'Works for a time; must not be repeated' })
  @McpTask({ recover: 'fail' })
  async once(@McpArg('name') name: string, @McpArg('ms') ms: string, @McpContext() ctx: McpToolContext): Promise<string> {
    return this.work(name, Number(ms), ctx);
  }

  @McpTool({ description: 'Asks, then works' })
  @McpTask({ recover: 'replay' })
  async asking(@McpArg('name') name: string, @McpArg('ms') ms: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('sure', { message: 'Sure?', schema: { type: 'object', properties: { ok: { type: 'boolean' } } } as const });
    return this.work(name, Number(ms), ctx);
  }

  @McpTool({ description: 'Charges once, when it is let' })
  @McpTask({ recover: 'replay' })
  async charging(@McpArg('name') name: string, @McpArg('ms') ms: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const { world } = this;
    world.executions.push({ node: world.node, name, signal: ctx.signal });
    await world.gates.get(world.node);
    await ctx.step('charge', () => void world.charged.push(world.node));
    await new Promise<void>((resolve) => world.clock.setTimer(resolve, Number(ms)));
    return 'charged';
  }

  private async work(name: string, ms: number, ctx: McpToolContext): Promise<string> {
    const { world } = this;
    world.executions.push({ node: world.node, name, signal: ctx.signal });
    await new Promise<void>((resolve) => world.clock.setTimer(resolve, ms));
    return `${name} by ${world.node}`;
  }
}

/** One application over the shared store. */
export interface ClusterNode {
  readonly name: string;
  readonly client: McpTestClient;
  readonly store: TaskStore;
  /** Bodies that it has entered. */
  readonly executions: readonly Execution[];
  /** From now on nothing of it reaches the store, as if it had been killed or stood still. */
  cutOff(): void;
  /** It goes on as if nothing had been. */
  wake(): void;
}

/** Nodes over one store in memory, whose time is moved by hand. */
export class NodeCluster {
  readonly clock = new FakeClock();
  readonly executions: Execution[] = [];
  readonly charged: string[] = [];
  readonly gates = new Map<string, Promise<void>>();
  private readonly apps: { app: McpTestingApp; line: Line }[] = [];

  /** @param storeClock that of the store, if it has one of its own */
  constructor(storeClock?: Clock) {
    this.store = new InMemoryTaskStore(storeClock ?? this.clock);
  }

  readonly store: InMemoryTaskStore;

  async start(name: string, limits: { maxRunning?: number } = {}, leaseMs = LEASE_MS): Promise<ClusterNode> {
    const { clock, executions, charged, gates } = this;
    const world = Object.assign(new World(), { node: name, clock, executions, charged, gates });
    const line = new Line();
    const store = behind(line, this.store);
    const app = await createMcpTestingApp({
      imports: [
        McpTasksModule.forRoot({
          lease: leaseMs,
          drain: 0,
          limits: { maxActivePerPrincipal: 10_000, ...limits },
          providers: [
            { provide: Clock, useValue: clock },
            { provide: TaskStore, useValue: store },
          ],
        }),
      ],
      providers: [Tools, { provide: World, useValue: world }],
    });
    this.apps.push({ app, line });
    return {
      name,
      client: app.client().withTasks(),
      store,
      get executions() {
        return executions.filter(({ node }) => node === name);
      },
      cutOff: () => line.cut(),
      wake: () => line.restore(),
    };
  }

  /** Starts `count` tasks; resolves to their ids. */
  async begin(node: ClusterNode, tool: string, { count = 1, ms = 1500 }: { count?: number; ms?: number } = {}): Promise<string[]> {
    const one = async (index: number): Promise<string> => {
      const { result, raw } = await node.client.callTool(tool, { name: `${tool}-${index}`, ms: String(ms) });
      if (result?.resultType !== 'task') throw new Error(`The call became no task: ${raw}`);
      return result.taskId!;
    };
    const ids = await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
    await turns(3);
    return ids;
  }

  /** The task as it is stored. */
  async record(taskId: string): Promise<TaskRecord> {
    return (await this.store.get(taskKeyOf(undefined, taskId)))!;
  }

  /** How many of the tasks have each status. */
  async statuses(ids: readonly string[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const id of ids) {
      const { status } = await this.record(id);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  /** Moves time on by small steps until `isSo`; resolves to the milliseconds it took, Infinity if it is not so after `limitMs`. */
  async until(isSo: () => Promise<boolean> | boolean, limitMs: number): Promise<number> {
    const from = this.clock.now();
    while (!(await isSo())) {
      if (this.clock.now() - from >= limitMs) return Infinity;
      await this.advance(250);
    }
    return this.clock.now() - from;
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await turns(2);
  }

  async close(): Promise<void> {
    for (const { line } of this.apps) line.restore();
    const state = { isClosed: false };
    const closing = Promise.all(this.apps.map(({ app }) => app.close())).finally(() => (state.isClosed = true));
    // Bodies that go on are given up on after a time.
    while (!state.isClosed) await this.advance(500);
    await closing;
  }
}
