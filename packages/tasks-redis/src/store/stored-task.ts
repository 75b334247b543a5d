import { type TaskKey, taskKeyOf, type TaskRecord, type TaskView } from '@mocapi/tasks';
import type { RecordCipher } from '../encryption/record-cipher.js';

/** The form that a task has in Redis: a string; or a hash, as releases before format 2 created it, for as long as it lives. */
export type StoredForm = 'string' | 'hash';

/** A record as it is stored: what a writer must name to replace it. */
export interface StoredTask {
  readonly record: TaskRecord;
  /** The operation that wrote it. */
  readonly op: string;
  /** Bytes of document and entries before encryption. */
  readonly size: number;
  /** Those of the document alone. */
  readonly documentSize: number;
  readonly form: StoredForm;
}

/** The members of a record that are stored beside its document. */
export type OwnMembers = Pick<TaskRecord, 'createdAt' | 'lastUpdatedAt' | 'version'>;

/** The own members. @throws Error if they are no numbers */
export function ownMembers([createdAt, lastUpdatedAt, version]: readonly unknown[], cipher: RecordCipher | undefined): OwnMembers {
  const own: OwnMembers = { createdAt: Number(createdAt), lastUpdatedAt: Number(lastUpdatedAt), version: Number(version) };
  if (!Object.values(own).every(Number.isSafeInteger)) throw malformed(cipher);
  return own;
}

/**
 * The object in a JSON text.
 * @throws Error that does not quote the text, if it is not an object
 */
export function parsed(text: string, cipher: RecordCipher | undefined): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says quotes the text.
  }
  if (typeof value !== 'object' || value === null) throw malformed(cipher);
  return value;
}

/** Refuses a task that belongs under another key: under that of another caller it would be his, for principal, id and endpoint are read from the key alone. */
export function assertBelongs<T extends TaskView>(key: TaskKey, task: T): T {
  if (isOf(key, task)) return task;
  throw new Error('The task that is stored under this key belongs to another key: it was copied or restored');
}

function isOf(key: TaskKey, { principal, taskId, endpoint }: TaskView): boolean {
  try {
    return taskKeyOf(principal, taskId, endpoint) === key;
  } catch {
    return false;
  }
}

/** The error for a value that is not a task, as far as this node can tell with its keys. */
export function malformed(cipher: RecordCipher | undefined): Error {
  // What a node with keys has written looks like this to one without.
  const fix = cipher ? '' : ' that can be read without keys: set encryption.keys if other nodes use them';
  return new Error(`The value under the key of a task is not a task${fix}`);
}
