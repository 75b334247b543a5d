import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { type MonitoredCommand, monitorRedis } from '@mocapi/redis-harness';
import type { TaskRecord } from '@mocapi/tasks';
import { readTaskString, type TaskString } from '../../../support/task-string.js';
import { taskPrefix } from '../fixture/node-settings.js';

/** One write of a task's record that was committed, as Redis made it. */
export interface Commit {
  /** The task's, without the prefix. */
  readonly key: string;
  readonly version: number;
  readonly record: Pick<TaskRecord, 'status' | 'run' | 'statusMessage' | 'inputRequests'>;
  /** When Redis made it, in milliseconds by its own clock. */
  readonly at: number;
}

const CATCH_UP_MS = 10_000;

/** Everything that was done to the tasks of a test, in the order in which Redis did it: seen by MONITOR, so no node can forget to tell. */
export class WriteHistory {
  readonly commits: Commit[] = [];
  private readonly prefix: string;
  private readonly asked = new Map<string, number>();
  /** What the documents of the tasks said last. */
  private readonly written = new Map<string, Commit['record']>();
  private readonly client: Redis;
  private stop?: () => void;
  private readonly markers = new Map<string, () => void>();

  constructor(
    private readonly url: string,
    root: string,
  ) {
    this.prefix = taskPrefix(root);
    this.client = new Redis(url, { lazyConnect: true });
  }

  async open(): Promise<void> {
    await this.client.connect();
    this.stop = await monitorRedis(this.url, (command) => this.see(command));
  }

  /** Resolves when everything is in here that Redis did before the call. */
  async caughtUp(): Promise<void> {
    const marker = randomUUID();
    const seen = new Promise<void>((resolve) => this.markers.set(marker, resolve));
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('The history of writes stands still')), CATCH_UP_MS).unref();
    });
    await this.client.echo(marker);
    await Promise.race([seen, late]);
  }

  /** How often clients have asked for a command on any key of a task. @param command such as `getrange` */
  timesAsked(command: string): number {
    return this.asked.get(command.toLowerCase()) ?? 0;
  }

  close(): void {
    this.stop?.();
    this.client.disconnect();
  }

  private see({ at, args, source }: MonitoredCommand): void {
    const [command = '', first = ''] = args;
    this.markers.get(first)?.();
    if (source === 'lua') this.seeWithin(at, args);
    else if (args.some((arg) => this.isTaskKey(arg))) {
      const name = command.toLowerCase();
      this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
    }
  }

  private seeWithin(at: number, [command = '', name = '', ...rest]: readonly string[]): void {
    const text = /^SET$/i.test(command) ? rest[0] : /^SETRANGE$/i.test(command) ? rest[1] : undefined;
    if (text === undefined || !this.isTaskKey(name)) return;
    const key = name.slice(this.prefix.length);
    const { version, document } = readTaskString(text);
    // A step writes the head alone, and its entry behind all the rest.
    const record = 'status' in document ? shownOf(document) : this.written.get(key)!;
    this.written.set(key, record);
    this.commits.push({ key, version, record, at });
  }

  private isTaskKey(key: string): boolean {
    return key.startsWith(this.prefix) && /^[\w-]{43}$/.test(key.slice(this.prefix.length));
  }
}

function shownOf({ status, run, statusMessage, inputRequests }: TaskString['document']): Commit['record'] {
  return {
    status,
    ...(run ? { run } : {}),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...(inputRequests ? { inputRequests } : {}),
  };
}
