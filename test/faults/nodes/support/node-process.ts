import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { McpTestClient } from '@mocapi/testing';
import type { NodeMessage, NodeOrder, NodeSettings } from '../fixture/node-settings.js';
import { spawnFixture } from './spawn-fixture.js';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long a node may take to close its application. */
const REST_MS = 6000;

/** A process that is told to be a node, and then done to what a fault does. */
export class NodeProcess {
  readonly ended: Promise<Ending>;
  private printed = '';
  private settings?: NodeSettings;
  private at = '';
  private readonly streams: readonly Readable[];

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    this.streams = [child.stdout!, child.stderr!];
    for (const stream of this.streams) stream.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
  }

  /** Spawns a process. It waits for its order. */
  static spawn(): NodeProcess {
    return new NodeProcess(spawnFixture('main.ts'));
  }

  /** Makes it a node; resolves once that listens. @throws Error with what it printed, when it ends instead */
  async boot(settings: NodeSettings): Promise<this> {
    this.settings = settings;
    this.printed = '';
    const said = await this.order({ boot: settings });
    if (said?.said !== 'listening') throw new Error(`Node ${settings.name} ended before it listened:\n${this.printed}`);
    this.at = said.url;
    return this;
  }

  /** Closes its application. @returns whether it may be another node now: it lives, and nothing in it is not as it was */
  async rest(): Promise<boolean> {
    if (!this.isAlive || this.settings?.clockShiftMs !== undefined) return false;
    const late = setTimeout(REST_MS, undefined, { ref: false });
    const said = await Promise.race([this.order('rest'), late]);
    return said?.said === 'resting';
  }

  /** Whether this process waits for it, as for what is in use. */
  hold(held: boolean): void {
    const handles = [this.child, this.child.channel, ...this.streams] as readonly { ref?(): void; unref?(): void }[];
    for (const handle of handles)
      if (held) handle.ref?.();
      else handle.unref?.();
  }

  get name(): string {
    return this.settings?.name ?? 'a node that was not told its name';
  }

  get url(): string {
    return this.at;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What it has printed so far, both streams. */
  output(): string {
    return this.printed;
  }

  /** A client that can poll. @param user who calls; nobody in particular by default */
  client(user?: string): McpTestClient {
    return new McpTestClient(this.url, user === undefined ? {} : { headers: { 'x-user': user } }).withTasks();
  }

  /** Sends a signal and does not wait for what comes of it. */
  signal(signal: NodeJS.Signals): void {
    if (!this.child.kill(signal)) throw new Error(`Node ${this.name} has ended and took no ${signal}`);
  }

  /** Ends it by `signal` and waits for the end. Harmless when it has ended. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ending> {
    if (this.isAlive) this.child.kill(signal);
    return this.ended;
  }

  /** Gives an order. @returns what it says once it has done so; undefined if it ended instead */
  private order(order: NodeOrder): Promise<NodeMessage | undefined> {
    return new Promise((resolve) => {
      this.child.once('message', resolve);
      void this.ended.then(() => resolve(undefined));
      this.child.send(order);
    });
  }
}
