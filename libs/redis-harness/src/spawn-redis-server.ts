import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from './free-port.js';

/** What to spawn. */
export interface RedisServerOptions {
  /** Default: whatever `redis-server` the PATH has. */
  readonly binary?: string | undefined;
  /** More of its command line. */
  readonly args?: readonly string[];
}

/** A `redis-server` that answers on the loopback interface. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

// Another process may take the port between our look and the server's bind.
const ATTEMPTS = 3;

/** Spawns a `redis-server` on a free loopback port, with an empty folder of its own and nothing saved. */
export async function spawnRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await spawnOnce(options);
    } catch (error) {
      if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    }
  }
}

async function spawnOnce({ binary = 'redis-server', args = [] }: RedisServerOptions): Promise<RedisServer> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'mocapi-redis-'));
  const commandLine = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'no', ...args];
  const child = spawn(binary, commandLine, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await ready(child);
  } catch (error) {
    await stop();
    throw error;
  }
  // It must not keep the test run alive. Any sooner, Node would end while it waits.
  child.unref();
  (child.stdout as Readable & { unref(): void }).unref();
  return { port, url: `redis://127.0.0.1:${port}`, stop };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${log}`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (log.includes('Ready to accept connections')) resolve();
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  const running = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (!running) return;
  child.ref(); // Else Node may end before it does.
  const ended = once(child, 'exit');
  child.kill('SIGKILL'); // There is nothing to save.
  await ended;
}
