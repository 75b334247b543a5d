import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { McpTestClient } from '@mocapi/testing';
import type { NodeMessage, NodeSettings } from '../fixture/node-settings.js';
import { spawnFixture } from './spawn-fixture.js';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A node in a process of its own: spawned warm, then told what to be, then done to what a fault does. */
export class NodeProcess {
  readonly ended: Promise<Ending>;
  private printed = '';
  private settings?: NodeSettings;
  private at = '';

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
  }

  /** Spawns a process that loads the node's modules and waits. */
  static spawn(): NodeProcess {
    return new NodeProcess(spawnFixture('main.ts'));
  }

  /** Boots it; resolves once it listens. @throws Error with what it printed, when it ends instead */
  async boot(settings: NodeSettings): Promise<this> {
    this.settings = settings;
    const listening = new Promise<string>((resolve) => {
      this.child.on('message', (message: NodeMessage) => {
        if (message.said === 'listening') resolve(message.url);
      });
    });
    this.child.send(settings);
    const ended = this.ended.then(({ code, signal }) => {
      throw new Error(`Node ${settings.name} ended with ${code ?? signal} before it listened:\n${this.printed}`);
    });
    this.at = await Promise.race([listening, ended]);
    ended.catch(() => undefined);
    return this;
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
}
