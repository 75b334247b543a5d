import { randomBytes } from 'node:crypto';
import { McpError } from '@mocapi/core';
import type { LedgerEntry } from '@mocapi/core/extension';
import { assertJson } from '@mocapi/core/internal';
import {
  assertTtl,
  type Clock,
  frozenRecord,
  DEFAULT_MAX_STORED_PER_PRINCIPAL,
  TaskAlreadyExistsError,
  type RunToken,
  type TaskDraft,
  type TaskKey,
  taskKeyOf,
  type TaskMutation,
  type TaskRecord,
  TaskStore,
  TaskStoreUnavailableError,
  type TaskView,
} from '@mocapi/tasks';
import { RedisChangeFeed } from '../change-feed/redis-change-feed.js';
import { ChannelHeartbeat } from '../channels/channel-heartbeat.js';
import { RedisChannels } from '../channels/redis-channels.js';
import { RedisCommands, RedisRefusedError, unavailable } from '../commands/redis-commands.js';
import { RedisKeys } from '../commands/redis-keys.js';
import type { RedisConnection } from '../connection/redis-connection.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { RedisRunIndex } from '../run-index/redis-run-index.js';
import { CallerAccounts } from './caller-accounts.js';
import { KeyLocks } from './key-locks.js';
import { RecentTasks } from './recent-tasks.js';
import { StoredTasks } from './stored-tasks.js';
import { TaskUpdate } from './task-update.js';

/** How a store in Redis keeps tasks. */
export interface RedisTaskStoreOptions {
  /** Begins the name of every key and channel. Default `mocapi:tasks:`. */
  readonly prefix?: string;
  /** Whether a task may have no end (`ttlMs: null`). Default false: it would only leave by `delete`. */
  readonly allowUnlimitedTtl?: boolean;
  /** How long one command may take, in milliseconds, whatever the client itself allows. Default 2000. */
  readonly commandTimeoutMs?: number;
  /** How long a write is tried again of which it is not known whether it was made, or which others keep getting ahead of, in milliseconds. Default 5000. */
  readonly retryForMs?: number;
  /** The most that the document of one task may have, in bytes, before encryption. Default 4 MiB. */
  readonly maxRecordBytes?: number;
  /** Tasks of one caller, those that have ended included. Default 10,000. */
  readonly maxStoredPerPrincipal?: number;
  /** Encrypts documents. Default: they are stored in clear. */
  readonly cipher?: RecordCipher;
  /** For tests: the time instead of that of Redis, which counts everywhere else. */
  readonly clock?: Clock;
  /** Text about the store in the boot's message. */
  readonly description?: string;
}

/** Redis takes no longer string, and the head of a task has room for as many digits. */
const LARGEST_BYTES = 500_000_000;

/** Tasks in Redis, Valkey or Redis Cluster, shared by all nodes. Times are those of Redis. It closes its connection when the application ends. */
export class RedisTaskStore extends TaskStore {
  override readonly description?: string;
  override readonly changeFeed: RedisChangeFeed;
  override readonly runIndex: RedisRunIndex;
  private readonly commands: RedisCommands;
  private readonly channels: RedisChannels;
  private readonly heartbeat: ChannelHeartbeat;
  private readonly tasks: StoredTasks;
  private readonly accounts: CallerAccounts;
  private readonly locks = new KeyLocks<TaskKey>();
  private readonly recent: RecentTasks;
  private readonly allowUnlimitedTtl: boolean;
  private readonly retryForMs: number;

  constructor(
    private readonly connection: RedisConnection,
    options: RedisTaskStoreOptions = {},
  ) {
    super();
    const { prefix = 'mocapi:tasks:', commandTimeoutMs = 2000, retryForMs = 5000, maxRecordBytes = 4 * 2 ** 20, cipher, clock } = options;
    const maxStored = options.maxStoredPerPrincipal ?? DEFAULT_MAX_STORED_PER_PRINCIPAL;
    const keys = new RedisKeys(prefix);
    if (options.description !== undefined) this.description = options.description;
    this.allowUnlimitedTtl = options.allowUnlimitedTtl ?? false;
    this.retryForMs = retryForMs;
    this.commands = new RedisCommands(connection, { commandTimeoutMs, retryForMs });
    this.recent = new RecentTasks(clock && (() => clock.now()));
    this.channels = new RedisChannels(connection.subscriber);
    this.heartbeat = new ChannelHeartbeat({
      channels: this.channels,
      channel: keys.heartbeat(randomBytes(12).toString('base64url')),
      publish: (channel, text) => this.commands.read((client) => client.publish(channel, text)),
      isConnected: () => connection.subscriber.status === 'ready',
      renew: () => connection.renewSubscriber?.(),
      address: connection.address,
    });
    this.tasks = new StoredTasks({ commands: this.commands, keys, maxRecordBytes: Math.min(maxRecordBytes, LARGEST_BYTES), cipher, clock });
    this.accounts = new CallerAccounts({ commands: this.commands, keys, maxStored, clock });
    this.changeFeed = new RedisChangeFeed({ commands: this.commands, channels: this.channels, keys });
    this.runIndex = new RedisRunIndex({ commands: this.commands, channels: this.channels, keys, clock });
  }

  async create(draft: TaskDraft): Promise<TaskRecord> {
    const key = taskKeyOf(draft.principal, draft.taskId, draft.endpoint);
    assertTtl(draft.ttlMs, this.allowUnlimitedTtl);
    const sentAt = this.recent.now();
    const record = frozenRecord(draft, { createdAt: 0, lastUpdatedAt: 0, version: 1 });
    const account = this.accounts.accountOf(draft);
    await this.accounts.admit(account, key, draft.ttlMs);
    const task = await this.tasks.create(key, record).catch((error: unknown) => this.notCreated(error, account, key));
    if (task === undefined) throw new TaskAlreadyExistsError(key);
    this.recent.note(key, task, sentAt);
    return task.record;
  }

  async get(key: TaskKey): Promise<TaskRecord | undefined> {
    return (await this.tasks.read(key))?.record;
  }

  override view(key: TaskKey): Promise<TaskView | undefined> {
    return this.tasks.view(key);
  }

  override async recordEntry(key: TaskKey, token: RunToken, entry: LedgerEntry): Promise<boolean> {
    if (!this.commands.isReady) throw unavailable();
    assertJson(entry, 'entry');
    const json = JSON.stringify(entry);
    const giveUpAt = performance.now() + this.retryForMs;
    // Behind the writes of this node that came before it: each of them names the version that it expects.
    const outcome = await this.locks.run(key, async () => {
      if (performance.now() >= giveUpAt) throw unavailable();
      const written = await this.tasks.recordEntry(key, { token, json, giveUpAt });
      if (typeof written === 'object') this.recent.noteEntry(key, written);
      else this.recent.forget(key);
      return written;
    });
    return outcome === 'whole' ? super.recordEntry(key, token, entry) : typeof outcome === 'object';
  }

  async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    // Behind the lock somebody may be waiting for the outcome of what was sent; here nothing was sent yet.
    if (!this.commands.isReady) throw unavailable();
    const { tasks, recent, allowUnlimitedTtl } = this;
    const update = new TaskUpdate({ tasks, recent, allowUnlimitedTtl, key, mutate, giveUpAt: performance.now() + this.retryForMs });
    return this.locks.run(key, () => update.run());
  }

  async delete(key: TaskKey): Promise<void> {
    this.recent.forget(key);
    const task = await this.tasks.view(key).catch(unlessUnreadable);
    await this.tasks.delete(key);
    if (task) await this.accounts.dismiss(this.accounts.accountOf(task), key);
  }

  /** A creation of which it is not known whether it was made stays counted: until it would have expired, at most. */
  private async notCreated(cause: unknown, account: string, key: TaskKey): Promise<never> {
    if (!(cause instanceof TaskStoreUnavailableError)) await this.accounts.dismiss(account, key).catch(() => undefined);
    throw cause;
  }

  override whenBack(listener: () => void): () => void {
    return this.commands.whenBack(listener);
  }

  /** Nest calls it when the application ends. Nothing is read or written after it. */
  async onApplicationShutdown(): Promise<void> {
    await this.runIndex.close();
    this.heartbeat.stop();
    this.channels.close();
    this.commands.close();
    await this.connection.close();
  }
}

/** An unreadable record may still be deleted: it then counts for its caller until it would have expired. */
function unlessUnreadable(error: unknown): undefined {
  if (error instanceof McpError || error instanceof RedisRefusedError) throw error;
}
