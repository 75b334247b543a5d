import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const STOPS_WITHIN_MS = 5000;

/** A `redis-server` as a process: it is killed when this one ends, and keeps it from ending no longer than it takes to start. */
export interface RedisProcess {
  readonly pid: number;
  /** Ends it by SIGKILL, as a crash would, and resolves to the signal that ended it; undefined if it had ended before. */
  kill(): Promise<NodeJS.Signals | undefined>;
  /** Stops it by SIGSTOP, and resolves once the system says that it stands still. */
  pause(): Promise<void>;
  /** Lets it go on. */
  resume(): void;
}

/** Starts `binary` and waits until it accepts connections. Rejects with what it printed if it ends before. */
export async function startRedisProcess(binary: string, args: readonly string[]): Promise<RedisProcess> {
  // Never our own stderr: a server that outlives this process would keep whoever reads that from ending.
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const killAtExit = () => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const kill = async () => {
    process.off('exit', killAtExit);
    return end(child);
  };
  try {
    await ready(child);
  } catch (error) {
    await kill();
    throw error;
  }
  // It must not keep the test run alive. Any sooner, Node would end while it waits.
  child.unref();
  for (const output of [child.stdout, child.stderr]) (output as Readable & { unref(): void }).unref();
  return { pid: child.pid!, kill, pause: () => pause(child), resume: () => void child.kill('SIGCONT') };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${log}`)));
    for (const output of [child.stdout!, child.stderr!])
      output.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-4000);
        if (log.includes('Ready to accept connections')) resolve();
      });
  });
}

async function end(child: ChildProcess): Promise<NodeJS.Signals | undefined> {
  const running = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (!running) return undefined;
  child.ref(); // Else Node may end before it does.
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  return child.signalCode ?? undefined;
}

async function pause(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  const deadline = performance.now() + STOPS_WITHIN_MS;
  while (!(await stateOf(child)).startsWith('T')) {
    if (performance.now() > deadline) throw new Error(`redis-server (pid ${child.pid}) did not stop`);
    await sleep(5);
  }
}

/** The state letter that the system gives the process: `T` while it is stopped. */
async function stateOf({ pid }: ChildProcess): Promise<string> {
  return (await run('ps', ['-o', 'state=', '-p', String(pid)])).stdout.trim();
}
