import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpuOf } from './cpu-of.js';

const SERVERS = join(import.meta.dirname, '../servers');
// Tests run the sources as they are, and so do the processes they start.
const ENDING = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
const SOURCE_ARGS =
  ENDING === 'js' ? [] : ['--conditions=@mocapi/source', `--import=${join(import.meta.dirname, '../../../tools/register.mjs')}`];

/** How a process is started. */
export interface SubjectSettings {
  /** The file in `servers`, without its ending. */
  readonly server: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

interface Message {
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** A process under measurement: a server, or a worker that does what it is asked to. */
export class Subject {
  private readonly waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  private asked = 0;

  private constructor(
    private readonly child: ChildProcess,
    /** Where it listens; 0 where it does not. */
    readonly port: number,
  ) {
    child.on('message', (message: Message) => this.take(message));
    child.on('exit', (code) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`The process ended with ${code}`));
    });
  }

  /** Rejects when the process ends before it is ready. */
  static async start({ server, env = {}, nodeArgs = [] }: SubjectSettings): Promise<Subject> {
    const child = fork(join(SERVERS, `${server}.${ENDING}`), [], {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      execArgv: [...SOURCE_ARGS, ...nodeArgs],
    });
    const gone = once(child, 'exit').then(([code]: unknown[]) => {
      throw new Error(`${server} ended with ${String(code)} before it was ready`);
    });
    const [{ port = 0 }] = (await Promise.race([once(child, 'message'), gone])) as [{ port?: number }];
    gone.catch(() => undefined);
    return new Subject(child, port);
  }

  /** Asks the process to do something it offers, and resolves to what it answers. */
  ask<T>(name: string, argument?: unknown): Promise<T> {
    const id = (this.asked += 1);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, name, argument });
    });
  }

  /** CPU time since its start, in microseconds: by the operating system, else as the process itself reports it. */
  async cpu(): Promise<number> {
    return cpuOf(this.child.pid!) ?? (await this.ask<number>('cpu'));
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private take({ id, value, error }: Message): void {
    const waiting = this.waiting.get(id ?? 0);
    if (waiting === undefined) return;
    this.waiting.delete(id!);
    if (error === undefined) waiting.resolve(value as never);
    else waiting.reject(new Error(error));
  }
}
