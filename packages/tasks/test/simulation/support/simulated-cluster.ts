import type { CallRunner } from '@mocapi/core/extension';
import type { ResolvedTasksOptions } from '@mocapi/tasks';
import type { History, Life } from './history.js';
import { Link, type WireFaults } from './link.js';
import type { Mutant } from './mutant.js';
import { NodeClock } from './node-clock.js';
import { NodeStore } from './node-store.js';
import { callsOfNode } from './node-calls.js';
import type { Random } from './random.js';
import { SimulatedNode } from './simulated-node.js';
import { SimulatedProcess } from './simulated-process.js';
import { SimulatedServer } from './simulated-server.js';
import type { SimulatedTime } from './simulated-time.js';
import type { TaskPlan } from './task-plan.js';

/** What a cluster is made of. */
export interface ClusterParts {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly history: History;
  readonly calls: CallRunner;
  readonly plans: ReadonlyMap<string, TaskPlan>;
  readonly options: ResolvedTasksOptions;
  /** One thing made wrong on purpose. */
  readonly mutant: Mutant;
}

interface Member {
  readonly node: SimulatedNode;
  readonly store: NodeStore;
  readonly life: Life;
}

/** Nodes that share a store, and what befalls them. */
export class SimulatedCluster {
  readonly server: SimulatedServer;
  readonly faults: WireFaults = { lostRequests: 0, lostReplies: 0, lostHints: 0, doubledHints: 0, slow: 0, awayUntil: 0 };
  private readonly members: Member[] = [];

  constructor(private readonly parts: ClusterParts) {
    this.server = new SimulatedServer(parts.time, parts.history);
    parts.mutant.server?.(this.server);
  }

  /** The nodes that take requests. */
  get up(): readonly SimulatedNode[] {
    return this.members.map(({ node }) => node).filter(({ isUp, parts }) => isUp && !parts.process.isDead);
  }

  /** The nodes that take requests and were not told to end. */
  get staying(): readonly SimulatedNode[] {
    return this.up.filter((node) => this.lifeOf(node).leavesAt === undefined);
  }

  /** The nodes that are not dead, those included that boot or leave. */
  get living(): readonly SimulatedNode[] {
    return this.members.map(({ node }) => node).filter(({ parts }) => !parts.process.isDead);
  }

  /** Starts another node. One that can't reach the store while it boots ends. */
  boot(): SimulatedNode {
    const { time, random, history, calls, plans, options, mutant } = this.parts;
    const process = new SimulatedProcess(`n${this.members.length + 1}`);
    const life: Life = { node: process.name, from: time.now, pauses: [], sessions: [] };
    history.lives.set(process.name, life);
    const link = new Link({ time, random, process, faults: this.faults, history });
    const store = (mutant.store ?? ((parts) => new NodeStore(parts)))({ link, server: this.server, life });
    const nodeCalls = callsOfNode({ calls, time, history, process, plans });
    const clock = new NodeClock(time, random, process);
    const node = new SimulatedNode({ process, clock, store, options, calls: nodeCalls });
    mutant.node?.(node);
    this.members.push({ node, store, life });
    process.onDisconnect(() => store.changeFeed.close());
    node.boot().catch(() => this.kill(node, 'failed boot'));
    return node;
  }

  /** Nothing of the node happens any more. */
  kill(node: SimulatedNode, fault = 'kill'): void {
    this.parts.history.fault(fault);
    this.parts.time.note(`${node.name} dies: ${fault}`);
    this.lifeOf(node).diedAt = this.parts.time.now;
    node.parts.process.kill();
  }

  /** The node stands still, then goes on as if nothing had been. */
  pause(node: SimulatedNode, ms: number): void {
    const { now } = this.parts.time;
    this.parts.history.fault('pause');
    this.parts.time.note(`${node.name} stands still`);
    this.lifeOf(node).pauses.push({ from: now, until: now + ms });
    node.parts.process.pause(now + ms);
  }

  /** The node is told to end, once, and does. */
  async drain(node: SimulatedNode): Promise<void> {
    if (this.lifeOf(node).leavesAt !== undefined) return;
    this.parts.history.fault('drain');
    this.parts.time.note(`${node.name} is told to end`);
    const member = this.memberOf(node);
    member.life.leavesAt = this.parts.time.now;
    await node.drain();
    this.parts.time.note(`${node.name} has left`);
    node.parts.process.disconnect();
    // What was read for the last polls is kept for a moment.
    await this.parts.time.wait(500, { what: `${node.name} ends`, process: node.parts.process });
    member.life.leftAt = this.parts.time.now;
    member.life.left = { timers: node.parts.clock.pendingTimers, watches: member.store.changeFeed.size, load: node.executor.load() };
    node.parts.process.kill();
  }

  /** The node's own clock is wrong from now on. */
  jump(node: SimulatedNode, ms: number): void {
    this.parts.history.fault('clock jump');
    node.parts.clock.jump(ms);
  }

  /** The store answers nobody for a time. */
  storeAway(ms: number): void {
    this.faults.awayUntil = this.parts.time.now + ms;
  }

  /** Watches of the change feed that nodes hold now. */
  watchesOf(node: SimulatedNode): number {
    return this.memberOf(node).store.changeFeed.size;
  }

  private lifeOf(node: SimulatedNode): Life {
    return this.memberOf(node).life;
  }

  private memberOf(node: SimulatedNode): Member {
    return this.members.find((member) => member.node === node)!;
  }
}
