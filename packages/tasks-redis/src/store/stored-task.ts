import { assertKnownFormat, deepFreeze, TaskFormatError, type TaskKey, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import type { RecordCipher } from '../encryption/record-cipher.js';

/** The format in which this release writes documents, and the newest that it reads. */
export const DOCUMENT_FORMAT = 1;

/** The fields of a task's hash that make up a record, in the order in which scripts reply them. */
export const RECORD_FIELDS = ['f', 'v', 'd', 'c', 'u', 'o'] as const;

/** A record as it is stored: what a writer must name to replace it. */
export interface StoredTask {
  readonly record: TaskRecord;
  /** The operation that wrote it. */
  readonly op: string;
  /** Characters of its document. */
  readonly size: number;
}

/** Members of a record that are fields of their own. */
type OwnFields = Pick<TaskRecord, 'createdAt' | 'lastUpdatedAt' | 'version'>;

/** The document of a record: all that is not a field of its own. */
export function documentOf({ createdAt: _created, lastUpdatedAt: _updated, version: _version, ...document }: TaskRecord): string {
  return JSON.stringify(document);
}

/**
 * The record in the values of `RECORD_FIELDS`; undefined if there is none.
 * @throws TaskFormatError if a newer release wrote it; Error if it is no task, a task that belongs under another key, or the cipher refuses it
 */
export function storedTaskOf(key: TaskKey, values: readonly unknown[], cipher?: RecordCipher): StoredTask | undefined {
  const [format, version, document, createdAt, lastUpdatedAt, op] = values;
  if (version === null || version === undefined) return undefined;
  if (Number(format) > DOCUMENT_FORMAT) throw new TaskFormatError(`The record was written in format ${Number(format)} by a newer release`);
  if (typeof document !== 'string' || typeof op !== 'string') throw malformed(cipher);
  const text = cipher ? cipher.open(key, document) : document;
  const own: OwnFields = { createdAt: Number(createdAt), lastUpdatedAt: Number(lastUpdatedAt), version: Number(version) };
  if (!Object.values(own).every(Number.isSafeInteger)) throw malformed(cipher);
  const record = deepFreeze({ ...parsed(text, cipher), ...own }) as TaskRecord;
  if (!isOf(key, record)) throw new Error('The task that is stored under this key belongs to another key: it was copied or restored');
  return { record: assertKnownFormat(record), op, size: text.length };
}

/** A copy under the key of another caller would be his task: principal, id and endpoint are read from the key alone. */
function isOf(key: TaskKey, { principal, taskId, endpoint }: TaskRecord): boolean {
  try {
    return taskKeyOf(principal, taskId, endpoint) === key;
  } catch {
    return false;
  }
}

function parsed(text: string, cipher: RecordCipher | undefined): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says quotes the document.
  }
  if (typeof value !== 'object' || value === null) throw malformed(cipher);
  return value;
}

function malformed(cipher: RecordCipher | undefined): Error {
  // What a node with keys has written looks like this to one without.
  const mend = cipher ? '' : ' that can be read without keys: set encryption.keys if other nodes use them';
  return new Error(`The value under the key of a task is not a task${mend}`);
}
