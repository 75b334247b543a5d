import type { Clock, TaskKey, TaskRecord } from '@mocapi/tasks';
import type { RedisKeys } from '../commands/redis-keys.js';
import { RedisScript } from '../commands/redis-script.js';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { isAsked } from './asked-slots.js';
import { changeOf } from './ledger-log.js';
import type { StoredTask } from './stored-task.js';
import { HASH_FORMAT, hashDocumentOf } from './task-hash.js';
import { stampOf } from './task-head.js';
import type { TaskText } from './task-text.js';

/** Parts of the writes. */
export interface TaskWritesParts {
  readonly keys: RedisKeys;
  readonly text: TaskText;
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

/** A script that makes the next record of the one that is stored, and the sizes that the task then has; see `StoredTask`. */
export interface TaskWrite extends Pick<StoredTask, 'size' | 'documentSize'> {
  readonly script: RedisScript;
  readonly args: readonly (string | number)[];
}

const UPDATE = RedisScript.load('update');
const UPDATE_HASH = RedisScript.load('updateHash');

const FULL_GRACE_BYTES = 4096;
/**
 * A ledger of at most so many bytes is written again when an open slot is filled, so that the slot does not stay
 * beside its answer.
 */
const SMALL_LEDGER_BYTES = 4096;

/** Finds out what has to be sent for a change of a task: what has changed of a string, and a hash as a whole. */
export class TaskWrites {
  constructor(private readonly parts: TaskWritesParts) {}

  /** @param op the operation that the write is to be known by */
  of(replacement: Replacement, op: string): TaskWrite {
    return replacement.base.form === 'hash' ? this.ofHash(replacement, op) : this.ofString(replacement, op);
  }

  private ofString({ key, base, next }: Replacement, op: string): TaskWrite {
    const { text, clock } = this.parts;
    const change = changeOf(base.record.ledger, next.ledger);
    const ledgerSize = base.size - base.documentSize;
    // Their requests were stored in the document, where they no longer stand.
    const released = next.ledger.filter((slot) => isAsked(slot, base.record.inputRequests) && !isAsked(slot, next.inputRequests));
    const onlyAdds = released.length === 0 && isAddition(base, next);
    const keeps = change.keeps && (onlyAdds || ledgerSize > SMALL_LEDGER_BYTES);
    const document = hasOtherDocument(base.record, next) ? text.document(key, next) : { text: '', size: base.documentSize };
    const entries = text.entries(key, keeps ? [...change.entries, ...released] : next.ledger, next.inputRequests);
    const size = document.size + entries.size + (keeps ? ledgerSize : 0);
    const expected = [base.record.version, base.op];
    const state = [next.ttlMs ?? '', stampOf(next), size];
    const lines = [document.text, entries.text, keeps ? 'keep' : 'drop'];
    const rest = [graceOf(base.record, next), clock?.now() ?? ''];
    return { script: UPDATE, args: [...expected, op, ...lines, ...state, ...rest], size, documentSize: document.size };
  }

  private ofHash({ key, base, next }: Replacement, op: string): TaskWrite {
    const { cipher, keys, clock } = this.parts;
    const document = hashDocumentOf(next);
    const size = Buffer.byteLength(document);
    const sealed = cipher ? cipher.seal(key, document) : document;
    const expected = [base.record.version, base.op];
    const rest = [keys.changes(key), graceOf(base.record, next), clock?.now() ?? ''];
    const args = [...expected, HASH_FORMAT, sealed, next.ttlMs ?? '', op, ...rest];
    return { script: UPDATE_HASH, args, size, documentSize: size };
  }
}

/** Members that are not in the document. */
const APART: ReadonlySet<string> = new Set(['ledger', 'createdAt', 'lastUpdatedAt', 'version']);

/** Whether anything but the ledger has changed. The next record shares with the one before what it takes over. */
function hasOtherDocument(base: TaskRecord, next: TaskRecord): boolean {
  const [before, after] = [base, next] as object[] as Record<string, unknown>[];
  const names = Object.keys(after!);
  return names.length !== Object.keys(before!).length || names.some((name) => !APART.has(name) && after![name] !== before![name]);
}

/** Whether everything new in the ledger follows the old entries. */
function isAddition(base: StoredTask, next: TaskRecord): boolean {
  return base.record.ledger.every((entry, index) => entry === next.ledger[index]);
}

/**
 * Bytes by which the task may get longer though Redis is full. What begins an execution or ends it is small and comes once, and is what makes
 * room in the end; all else has to wait.
 */
function graceOf({ status, run }: TaskRecord, next: TaskRecord): number | '' {
  return next.status === status && next.run?.id === run?.id ? '' : FULL_GRACE_BYTES;
}
