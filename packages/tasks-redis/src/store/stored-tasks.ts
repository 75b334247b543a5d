import { type Clock, isAlive, type RunToken, type TaskKey, type TaskRecord, TaskRecordTooLargeError, type TaskView } from '@mocapi/tasks';
import type { RedisCommands, RedisSend } from '../commands/redis-commands.js';
import { isWrongType } from '../commands/redis-failure.js';
import type { RedisKeys } from '../commands/redis-keys.js';
import { RedisScript } from '../commands/redis-script.js';
import type { RedisClient } from '../connection/redis-connection.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { newOperation } from './new-operation.js';
import { malformed, type StoredTask } from './stored-task.js';
import { RECORD_FIELDS, taskInHash } from './task-hash.js';
import { stampOf, stampOfRun } from './task-head.js';
import { TaskText } from './task-text.js';
import { type Replacement, TaskWrites } from './task-writes.js';

/** Parts of the tasks in Redis. */
export interface StoredTasksParts {
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
  readonly maxRecordBytes: number;
  readonly cipher?: RecordCipher | undefined;
  /** Tests alone: the time instead of that of Redis. */
  readonly clock?: Clock | undefined;
}

/** How a write of the next record ended. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly task: StoredTask }
  /** Somebody else wrote meanwhile. */
  | { readonly kind: 'conflict'; readonly task: StoredTask | undefined }
  | { readonly kind: 'gone' };

/** An entry for the ledger. */
export interface NewEntry {
  /** The run that writes it. */
  readonly token: RunToken;
  readonly json: string;
  /** When it is sent no more, by `performance.now()`. */
  readonly giveUpAt: number;
}

/** An entry that was written to a ledger. */
export interface WrittenEntry {
  readonly json: string;
  readonly op: string;
  /** Its bytes before encryption. */
  readonly size: number;
  readonly version: number;
  readonly lastUpdatedAt: number;
}

/** How a write to a ledger ended: `fenced` if another run holds the task, or none; `whole` if the task is in a format that is written whole. */
export type EntryOutcome = WrittenEntry | 'fenced' | 'gone' | 'whole';

const CREATE = RedisScript.load('create');
const RECORD = RedisScript.load('record');

/** Most documents are shorter, and a short ledger is in it too. */
const FIRST_PIECE_BYTES = 4096;

const DONE = 1;
const CURRENT = 2;
const TOO_LARGE = 3;
const OTHER = 4;

/** The tasks in Redis, one string each: the steps that Redis makes as one. Each may be sent several times and is made once. */
export class StoredTasks {
  private readonly text: TaskText;
  private readonly writes: TaskWrites;

  constructor(private readonly parts: StoredTasksParts) {
    this.text = new TaskText(parts.cipher);
    this.writes = new TaskWrites({ ...parts, text: this.text });
  }

  /** @throws what `RedisCommands.read` throws, TaskFormatError, and Error for a value that is not a task */
  async read(key: TaskKey): Promise<StoredTask | undefined> {
    const stored = await this.parts.commands.read((client) => this.orHash(key, client, () => client.get(this.nameOf(key))));
    const task = this.decoded(key, stored);
    return this.alive(task?.record) && task;
  }

  /** The task without its ledger, if that stands apart. @throws as `read` does */
  async view(key: TaskKey): Promise<TaskView | undefined> {
    // Somebody may write between two pieces, and a longer document.
    for (let bytes = FIRST_PIECE_BYTES; ;) {
      const last = bytes - 1;
      const piece = await this.parts.commands.read((client) => this.orHash(key, client, () => client.getrange(this.nameOf(key), 0, last)));
      if (typeof piece !== 'string') return this.alive(taskInHash(key, piece, this.parts.cipher)?.record);
      if (piece === '') return undefined;
      const view = this.text.readView(key, piece);
      if (typeof view !== 'number') return this.alive(view);
      // It was long enough for the document that its head tells of: what is stored has been cut off.
      if (view <= bytes) throw malformed(this.parts.cipher);
      bytes = view;
    }
  }

  /**
   * Stores a task unless a live one is there; undefined if one is.
   * @param record its times are set here
   * @throws what `RedisCommands.write` throws, and TaskRecordTooLargeError
   */
  async create(key: TaskKey, record: TaskRecord): Promise<StoredTask | undefined> {
    const document = this.text.document(key, record);
    const entries = this.text.entries(key, record.ledger, record.inputRequests);
    const size = document.size + entries.size;
    this.assertFits(size);
    const op = newOperation();
    const args = [op, document.text, entries.text, record.ttlMs ?? '', stampOf(record), size, this.now];
    const [code, reply] = await this.send((client) => CREATE.run(client, this.nameOf(key), args));
    if (code === CURRENT) return this.decoded(key, reply);
    if (code !== DONE) return undefined;
    const createdAt = Number(reply);
    const created = Object.freeze({ ...record, createdAt, lastUpdatedAt: createdAt });
    return { record: created, op, size, documentSize: document.size, form: 'string' };
  }

  /**
   * Replaces a record by its next one, if it still is the stored one. Unchanged parts are not sent.
   * @throws what `RedisCommands.write` throws, and TaskRecordTooLargeError
   */
  async replace(replacement: Replacement): Promise<WriteOutcome> {
    const { key, base, next, giveUpAt } = replacement;
    const op = newOperation();
    const { script, args, ...sizes } = this.writes.of(replacement, op);
    this.assertFits(sizes.size);
    const [code, ...reply] = await this.send((client) => script.run(client, this.nameOf(key), args), giveUpAt);
    if (code === CURRENT) return { kind: 'conflict', task: this.decoded(key, base.form === 'hash' ? reply : reply[0]) };
    if (code !== DONE) return { kind: 'gone' };
    const record = Object.freeze({ ...next, lastUpdatedAt: Number(reply[0]) });
    return { kind: 'written', task: { record, op, ...sizes, form: base.form } };
  }

  /**
   * Writes an entry to the ledger, if that run holds the task. Nothing else is sent or read.
   * @throws what `RedisCommands.write` throws, and TaskRecordTooLargeError
   */
  async recordEntry(key: TaskKey, { token, json, giveUpAt }: NewEntry): Promise<EntryOutcome> {
    const { maxRecordBytes } = this.parts;
    const { text, size } = this.text.entry(key, json);
    const op = newOperation();
    const args = [stampOfRun(token), text, size, maxRecordBytes, op, this.now];
    const [code, value, version] = await this.send((client) => RECORD.run(client, this.nameOf(key), args), giveUpAt);
    if (code === TOO_LARGE) throw new TaskRecordTooLargeError(Number(value), maxRecordBytes);
    if (code === OTHER) return 'whole';
    if (code === CURRENT) return 'fenced';
    if (code !== DONE) return 'gone';
    return { json, op, size, version: Number(version), lastUpdatedAt: Number(value) };
  }

  async delete(key: TaskKey): Promise<void> {
    await this.parts.commands.write((client) => client.unlink(this.nameOf(key)));
  }

  private async send(run: RedisSend<unknown>, giveUpAt?: number): Promise<readonly [code: number, ...unknown[]]> {
    const [code, ...rest] = (await this.parts.commands.write(run, giveUpAt)) as unknown[];
    return [Number(code), ...rest];
  }

  /** The content of a task's string, or the fields of the hash if it is one. */
  private async orHash<T>(key: TaskKey, client: RedisClient, read: () => Promise<T>): Promise<T | readonly unknown[]> {
    try {
      return await read();
    } catch (error) {
      if (!isWrongType(error)) throw error;
      return client.hmget(this.nameOf(key), ...RECORD_FIELDS);
    }
  }

  private decoded(key: TaskKey, stored: unknown): StoredTask | undefined {
    if (Array.isArray(stored)) return taskInHash(key, stored, this.parts.cipher);
    return typeof stored === 'string' ? this.text.read(key, stored) : undefined;
  }

  private alive<T extends TaskView>(task: T | undefined): T | undefined {
    const { clock } = this.parts;
    return task && clock && !isAlive(task, clock.now()) ? undefined : task;
  }

  private assertFits(size: number): void {
    if (size > this.parts.maxRecordBytes) throw new TaskRecordTooLargeError(size, this.parts.maxRecordBytes);
  }

  private nameOf(key: TaskKey): string {
    return this.parts.keys.task(key);
  }

  /** The time that scripts get. */
  private get now(): string | number {
    return this.parts.clock?.now() ?? '';
  }
}
