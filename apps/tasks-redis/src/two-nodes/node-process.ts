import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CannotStartError } from '@mocapi/demo';
import type { Closing } from './closing.js';

/** A node that runs in its own process. */
export interface NodeProcess {
  readonly name: string;
  readonly pid: number;
  /** Of its endpoint. */
  readonly url: URL;
  /** Kills it as `kill -9` does. Resolves once it is dead, with the signal it died of. */
  kill(): Promise<NodeJS.Signals | null>;
}

/** The node to start. */
export interface NodeProcessOptions {
  readonly name: string;
  /** Beside what this process has. */
  readonly env: Readonly<Record<string, string>>;
  /** Receives each line that the node prints once it listens. */
  readonly onLine: (line: string) => void;
}

const MAIN = join(import.meta.dirname, `../main${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`);
const LISTENING = /^listening on (\S+)$/;
const GRACE_MS = 2000;

/**
 * Starts a node and waits until it listens; `closing` ends it, however far it has come.
 * @throws CannotStartError with what it printed, when it ends before
 */
export async function startNode({ name, env, onLine }: NodeProcessOptions, closing: Closing): Promise<NodeProcess> {
  // With the flags of this process: from sources or built, the node runs as its starter does.
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    env: { ...process.env, ...env, NODE_NAME: name },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closing.add(() => stop(child));
  const url = await listening(child, onLine);
  const kill = async (): Promise<NodeJS.Signals | null> => {
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    child.kill('SIGKILL');
    return (await ended)[1];
  };
  return { name, pid: child.pid!, url, kill };
}

function listening(child: ChildProcess, onLine: (line: string) => void): Promise<URL> {
  return new Promise((resolve, reject) => {
    const before: string[] = [];
    let listens = false;
    for (const input of [child.stdout!, child.stderr!]) {
      createInterface({ input }).on('line', (line) => {
        if (listens) return onLine(line);
        before.push(line);
        const url = LISTENING.exec(line)?.[1];
        if (!url) return;
        listens = true;
        resolve(new URL(url));
      });
    }
    child.once('error', reject);
    child.once('close', () => reject(new CannotStartError(`A node ended before it listened:\n${before.join('\n')}`)));
  });
}

/** Ends it as a deployment would, and after a while in any case. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const impatience = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(impatience);
}
