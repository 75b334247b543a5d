import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { McpTestClient } from '@mocapi/testing';
import type { LimitedLoad, LimitedMessage } from '../fixture/limited-load.js';
import type { LimitedServerName } from '../fixture/modules.js';

/** The heap of a server, in MiB. */
export const HEAP_MIB = 512;

const ROOT = join(import.meta.dirname, '../../../..');
const MAIN = join(import.meta.dirname, '../fixture/main.ts');
const EXEC_ARGV = ['--conditions=@mocapi/source', '--import', './tools/register.mjs', `--max-old-space-size=${HEAP_MIB}`];

/** A server with a small heap, in a process of its own. */
export class LimitedServer {
  private printed = '';
  private at = '';
  private last?: LimitedLoad;
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close');
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    child.on('message', (message: LimitedMessage) => {
      if (message.said === 'listening') this.at = message.url;
      else this.last = message.load;
    });
  }

  /** Starts a server; resolves once it listens. @throws Error with what it printed, when it ends instead */
  static async start(name: LimitedServerName): Promise<LimitedServer> {
    const child = fork(MAIN, [name], { cwd: ROOT, execArgv: EXEC_ARGV, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const server = new LimitedServer(child);
    await server.tells();
    return server;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How it fared, by what it tells next. It tells nothing any more once it has ended: then it is what it told last. */
  async load(): Promise<LimitedLoad | undefined> {
    if (this.isAlive) await this.tells().catch(() => undefined);
    return this.last;
  }

  /** A client that declares the Tasks extension. @param user who calls; nobody in particular by default */
  client(user?: string): McpTestClient {
    return new McpTestClient(this.at, user === undefined ? {} : { headers: { 'x-demo-user': user } }).withTasks();
  }

  /** The end of what it has printed. */
  output(): string {
    return this.printed.slice(-1500);
  }

  async end(): Promise<void> {
    if (this.isAlive) this.child.kill('SIGKILL');
    await this.ended;
  }

  private async tells(): Promise<void> {
    const died = this.ended.then(() => {
      throw new Error(`The server has ended:\n${this.output()}`);
    });
    await Promise.race([once(this.child, 'message'), died]);
  }
}
