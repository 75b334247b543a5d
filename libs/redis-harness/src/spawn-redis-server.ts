import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { freePort } from './free-port.js';
import { neededRedisServerBinary } from './redis-server-binary.js';
import { startRedisProcess, type RedisProcess } from './redis-process.js';

/** The server to spawn. */
export interface RedisServerOptions {
  /** Default: `$REDIS_SERVER_BIN`, else the first `redis-server` on the PATH. */
  readonly binary?: string | undefined;
  /** More of its command line: `['--appendonly', 'yes']`. A function is called for each attempt to start, and so can name a free port. */
  readonly args?: readonly string[] | (() => Promise<readonly string[]>);
}

/** A `redis-server` that answers on the loopback interface: a process with a folder and a port that it keeps over restarts. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Of the process that runs now, or ran last. */
  readonly pid: () => number;
  /** Ends it by SIGKILL, as a crash does. Its folder stays. Resolves to the signal that ended it; undefined if nothing ran. */
  readonly kill: () => Promise<NodeJS.Signals | undefined>;
  /** Starts it again after a kill, on the same port and with what its folder holds. */
  readonly restart: () => Promise<void>;
  /** Stops the process by SIGSTOP: connections stay and nothing answers. Resolves once it stands still. */
  readonly pause: () => Promise<void>;
  /** Lets it go on after a pause. */
  readonly resume: () => void;
  /** Another client, which `stop` disconnects. */
  readonly client: (options?: RedisOptions) => Redis;
  /** Ends it, and removes its folder. */
  readonly stop: () => Promise<void>;
}

// Another process may take the port between our look and the server's bind.
const ATTEMPTS = 3;

/**
 * Spawns a `redis-server` on a free loopback port, with its own empty folder and, unless `args` say otherwise, without
 * persistence. Rejects with a `NoRedisError` if there is none to spawn.
 */
export async function spawnRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const { binary = neededRedisServerBinary(), args = [] } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await spawnOnce(binary, typeof args === 'function' ? await args() : args);
    } catch (error) {
      if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    }
  }
}

async function spawnOnce(binary: string, args: readonly string[]): Promise<RedisServer> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'mocapi-redis-'));
  const commandLine = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'no', ...args];
  const removeFolder = () => rm(dir, { recursive: true, force: true });
  try {
    return serverOf(
      { port, removeFolder, start: () => startRedisProcess(binary, commandLine) },
      await startRedisProcess(binary, commandLine),
    );
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

interface ServerParts {
  readonly port: number;
  readonly start: () => Promise<RedisProcess>;
  readonly removeFolder: () => Promise<void>;
}

function serverOf({ port, start, removeFolder }: ServerParts, first: RedisProcess): RedisServer {
  const url = `redis://127.0.0.1:${port}`;
  const clients: Redis[] = [];
  let running = first;
  return {
    port,
    url,
    pid: () => running.pid,
    kill: () => running.kill(),
    restart: async () => void (running = await start()),
    pause: () => running.pause(),
    resume: () => running.resume(),
    client: (options = {}) => {
      // By default ioredis waits 2 seconds for the end of a connection that has ended already.
      const client = new Redis(url, { disconnectTimeout: 10, ...options });
      // Whoever uses it sees its failures in the commands.
      client.on('error', () => undefined);
      clients.push(client);
      return client;
    },
    stop: async () => {
      for (const client of clients) client.disconnect();
      await running.kill();
      await removeFolder();
    },
  };
}
