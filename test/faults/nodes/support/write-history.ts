import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { type MonitoredCommand, monitorRedis } from '@mocapi/redis-harness';
import type { TaskRecord } from '@mocapi/tasks';
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

  /** How often clients have asked for a command on any key of a task. @param command such as `hmget` */
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

  private seeWithin(at: number, [command = '', key = '', ...rest]: readonly string[]): void {
    if (!/^HM?SET$/i.test(command) || !this.isTaskKey(key)) return;
    const fields = new Map<string, string>();
    for (let index = 0; index < rest.length; index += 2) fields.set(rest[index]!, rest[index + 1] ?? '');
    const [version, document] = [fields.get('v'), fields.get('d')];
    if (version === undefined || document === undefined) return;
    const { status, run, statusMessage, inputRequests } = JSON.parse(document) as TaskRecord;
    const record = {
      status,
      ...(run ? { run } : {}),
      ...(statusMessage === undefined ? {} : { statusMessage }),
      ...(inputRequests ? { inputRequests } : {}),
    };
    this.commits.push({ key: key.slice(this.prefix.length), version: Number(version), record, at });
  }

  private isTaskKey(key: string): boolean {
    return key.startsWith(this.prefix) && /^[\w-]{43}$/.test(key.slice(this.prefix.length));
  }
}
