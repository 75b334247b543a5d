import { types } from 'node:util';
import { TASK_STATUSES, type TaskRecord } from '../record/task-record.js';
import { InvalidMutationError, InvalidTaskTtlError, TaskFormatError } from './task-store.errors.js';
import type { TaskMutation } from './task-store.js';

// What every store refuses, so that every store refuses the same.

/** Refuses a `ttlMs` that is no whole number of at least 1, and null unless unlimited tasks are allowed. */
export function assertTtl(ttlMs: number | null, allowUnlimitedTtl: boolean): void {
  if (ttlMs === null) {
    if (!allowUnlimitedTtl)
      throw new InvalidTaskTtlError('A task needs a ttlMs: this store does not allow unlimited tasks (allowUnlimitedTtl)');
    return;
  }
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1) throw new InvalidTaskTtlError(`ttlMs must be a whole number of at least 1, not ${ttlMs}`);
}

const STATUSES: ReadonlySet<string> = new Set(TASK_STATUSES);
const KINDS: ReadonlySet<string> = new Set<TaskRecord['ledger'][number]['kind']>(['elicitation', 'sampling', 'roots', 'step']);

/** Returns a stored record that this version knows. @throws TaskFormatError naming the part that it does not know */
export function assertKnownFormat<T extends TaskRecord | undefined>(record: T): T {
  if (record === undefined) return record;
  if (!STATUSES.has(record.status)) throw new TaskFormatError(`The record has an unknown status "${record.status}"`, record);
  for (const { kind, key } of record.ledger)
    if (!KINDS.has(kind)) throw new TaskFormatError(`The record has an unknown kind "${kind}" of the entry "${key}"`, record);
  return record;
}

/**
 * Runs a mutation. It rejects a value that is not a record of the same task, and any change of a record that this
 * version does not know. The same object back means that there is nothing to write.
 */
export function mutated(current: TaskRecord, mutate: TaskMutation): TaskRecord {
  const next: unknown = mutate(assertKnownFormat(current));
  if (types.isPromise(next)) {
    // Its rejection, if it comes to that, is nobody's to handle.
    next.catch(() => undefined);
    throw new InvalidMutationError('A task mutation must be synchronous, but it returned a promise');
  }
  if (typeof next !== 'object' || next === null)
    throw new InvalidMutationError('A task mutation must return a record, but it returned nothing');
  const record = next as TaskRecord;
  const hasSameKey =
    record.taskId === current.taskId && record.principal?.id === current.principal?.id && record.endpoint === current.endpoint;
  if (!hasSameKey) throw new InvalidMutationError('A task mutation must not change the taskId, the principal or the endpoint');
  return record;
}
