import { assertKnownFormat, deepFreeze, TaskFormatError, type TaskKey, type TaskRecord } from '@mocapi/tasks';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { assertBelongs, malformed, ownMembers, parsed, type StoredTask } from './stored-task.js';

/** The format of the documents in hashes, as releases before format 2 wrote them. */
export const HASH_FORMAT = 1;

/** The fields of a task's hash that make up a record, in the order in which the script replies them. */
export const RECORD_FIELDS = ['f', 'v', 'd', 'c', 'u', 'o'] as const;

/** The document of a record in a hash: all that is not a field of its own. */
export function hashDocumentOf({ createdAt: _created, lastUpdatedAt: _updated, version: _version, ...document }: TaskRecord): string {
  return JSON.stringify(document);
}

/**
 * The record in the values of `RECORD_FIELDS`; undefined if there is none.
 * @throws TaskFormatError if a newer release wrote it; Error if it is no task, a task that belongs under another key, or the cipher refuses it
 */
export function taskInHash(key: TaskKey, values: readonly unknown[], cipher?: RecordCipher): StoredTask | undefined {
  const [format, version, document, createdAt, lastUpdatedAt, op] = values;
  if (version === null || version === undefined) return undefined;
  if (Number(format) > HASH_FORMAT) throw new TaskFormatError(`The record was written in format ${Number(format)} by a newer release`);
  if (typeof document !== 'string' || typeof op !== 'string') throw malformed(cipher);
  const text = cipher ? cipher.open(key, document) : document;
  const own = ownMembers([createdAt, lastUpdatedAt, version], cipher);
  const record = assertBelongs(key, deepFreeze({ ...parsed(text, cipher), ...own }) as TaskRecord);
  const size = Buffer.byteLength(text);
  return { record: assertKnownFormat(record), op, size, documentSize: size, form: 'hash' };
}
