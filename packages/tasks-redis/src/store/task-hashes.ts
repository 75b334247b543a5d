import { type Clock, isAlive, type TaskKey, type TaskRecord, TaskRecordTooLargeError } from '@mocapi/tasks';
import type { RedisCommands, RedisSend } from '../commands/redis-commands.js';
import type { RedisKeys } from '../commands/redis-keys.js';
import { RedisScript } from '../commands/redis-script.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { newOperation } from './new-operation.js';
import { DOCUMENT_FORMAT, documentOf, RECORD_FIELDS, type StoredTask, storedTaskOf } from './stored-task.js';

/** What the hashes of tasks need. */
export interface TaskHashesParts {
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
  readonly maxRecordBytes: number;
  readonly cipher?: RecordCipher | undefined;
  /** Tests alone: the time instead of that of Redis. */
  readonly clock?: Clock | undefined;
}

/** The next record in place of the one that a writer has read. */
export interface Replacement {
  readonly key: TaskKey;
  readonly base: StoredTask;
  /** Its `lastUpdatedAt` is set by the write. */
  readonly next: TaskRecord;
  /** When it is sent no more, by `performance.now()`. */
  readonly giveUpAt: number;
}

/** How a write of the next record ended. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly task: StoredTask }
  /** Somebody else wrote meanwhile. */
  | { readonly kind: 'conflict'; readonly task: StoredTask | undefined }
  | { readonly kind: 'gone' };

const CREATE = RedisScript.load('create');
const UPDATE = RedisScript.load('update');

const FULL_GRACE_BYTES = 4096;

const DONE = 1;
const CURRENT = 2;

/** The tasks in Redis, one hash each: the steps that Redis makes as one. Each may be sent several times and is made once. */
export class TaskHashes {
  constructor(private readonly parts: TaskHashesParts) {}

  /** @throws what `RedisCommands.read` throws, TaskFormatError, and Error for what is no task */
  async read(key: TaskKey): Promise<StoredTask | undefined> {
    const values = await this.parts.commands.read((client) => client.hmget(this.parts.keys.task(key), ...RECORD_FIELDS));
    const task = this.decoded(key, values);
    const { clock } = this.parts;
    return task && clock && !isAlive(task.record, clock.now()) ? undefined : task;
  }

  /**
   * Stores a task unless a live one is there; undefined if one is.
   * @param record its times are set here
   * @param account whom it counts for; see `accountOfStored`
   * @throws what `RedisCommands.write` throws, and TaskRecordTooLargeError
   */
  async create(key: TaskKey, record: TaskRecord, account: string): Promise<StoredTask | undefined> {
    const document = this.documentOf(record);
    const op = newOperation();
    const args = [DOCUMENT_FORMAT, this.sealed(key, document), record.ttlMs ?? '', op, account, this.now];
    const reply = await this.send((client) => CREATE.run(client, this.parts.keys.task(key), args));
    const [code, now] = reply;
    if (code === CURRENT) return this.decoded(key, reply.slice(1));
    if (code !== DONE) return undefined;
    const createdAt = Number(now);
    return { record: Object.freeze({ ...record, createdAt, lastUpdatedAt: createdAt }), op, size: document.length };
  }

  /**
   * Replaces a record by its next one, if it still is what is stored.
   * @throws what `RedisCommands.write` throws, and TaskRecordTooLargeError
   */
  async replace({ key, base, next, giveUpAt }: Replacement): Promise<WriteOutcome> {
    const document = this.documentOf(next);
    const op = newOperation();
    const sealed = this.sealed(key, document);
    const expected = [base.record.version, base.op];
    const channel = this.parts.keys.changes(key);
    const args = [...expected, DOCUMENT_FORMAT, sealed, next.ttlMs ?? '', op, channel, graceOf(base.record, next), this.now];
    const reply = await this.send((client) => UPDATE.run(client, this.parts.keys.task(key), args), giveUpAt);
    const [code, now] = reply;
    if (code === CURRENT) return { kind: 'conflict', task: this.decoded(key, reply.slice(1)) };
    if (code !== DONE) return { kind: 'gone' };
    const record = Object.freeze({ ...next, lastUpdatedAt: Number(now) });
    return { kind: 'written', task: { record, op, size: document.length } };
  }

  /** The account that a stored task counts for; undefined if there is no task, or one of an older release. */
  async accountOfStored(key: TaskKey): Promise<string | undefined> {
    return (await this.parts.commands.read((client) => client.hget(this.parts.keys.task(key), 'a'))) ?? undefined;
  }

  async delete(key: TaskKey): Promise<void> {
    await this.parts.commands.write((client) => client.unlink(this.parts.keys.task(key)));
  }

  private async send(run: RedisSend<unknown>, giveUpAt?: number): Promise<readonly unknown[]> {
    const [code, ...rest] = (await this.parts.commands.write(run, giveUpAt)) as unknown[];
    return [Number(code), ...rest];
  }

  private decoded(key: TaskKey, values: readonly unknown[]): StoredTask | undefined {
    return storedTaskOf(key, values, this.parts.cipher);
  }

  private documentOf(record: TaskRecord): string {
    const document = documentOf(record);
    const bytes = Buffer.byteLength(document);
    if (bytes > this.parts.maxRecordBytes) throw new TaskRecordTooLargeError(bytes, this.parts.maxRecordBytes);
    return document;
  }

  private sealed(key: TaskKey, document: string): string {
    return this.parts.cipher ? this.parts.cipher.seal(key, document) : document;
  }

  /** What scripts are told of the time. */
  private get now(): string | number {
    return this.parts.clock?.now() ?? '';
  }
}

/**
 * Bytes by which the next document may be longer though Redis is full. What begins an execution or ends it is small and comes once, and is what makes
 * room in the end; all else has to wait.
 */
function graceOf({ status, run }: TaskRecord, next: TaskRecord): number | '' {
  return next.status === status && next.run?.id === run?.id ? '' : FULL_GRACE_BYTES;
}
