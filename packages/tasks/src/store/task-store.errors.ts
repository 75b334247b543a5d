import { ErrorCode, McpError } from '@mocapi/core';
import { McpLimitError } from '@mocapi/core/extension';
import type { TaskRecord } from '../record/task-record.js';
import type { TaskKey } from './task-key.js';

/** `create` met a live task under the key. The task is untouched. */
export class TaskAlreadyExistsError extends Error {
  override readonly name = 'TaskAlreadyExistsError';

  constructor(readonly key: TaskKey) {
    super('A task with this id already exists');
  }
}

/**
 * There is no room for another task, or for a longer record of one. Nothing was written; the client learns when to
 * retry.
 */
export class TaskStoreFullError extends McpLimitError {
  constructor(retryAfterMs: number, message = 'Too many tasks are stored: retry after data.retryAfterMs milliseconds') {
    super(message, retryAfterMs);
  }
}

/**
 * The caller has reached its limit of stored tasks. Nothing was written; the client learns when to retry, and other
 * callers are not affected.
 */
export class TaskQuotaError extends McpLimitError {
  constructor(retryAfterMs: number) {
    super('Too many of your tasks are stored: wait until some expire, and retry after data.retryAfterMs milliseconds', retryAfterMs);
  }
}

/** A `ttlMs` that is no whole number of at least 1, or that is null where a limit is demanded. Nothing was stored. */
export class InvalidTaskTtlError extends RangeError {
  override readonly name = 'InvalidTaskTtlError';
}

/** The function given to `update` broke its contract. Nothing was written. */
export class InvalidMutationError extends TypeError {
  override readonly name = 'InvalidMutationError';
}

/**
 * The store does not answer. It is unknown whether the write was made; a read will show it. The client learns when to
 * retry.
 */
export class TaskStoreUnavailableError extends McpError {
  constructor(
    readonly retryAfterMs: number,
    options?: ErrorOptions,
  ) {
    super(ErrorCode.InternalError, 'Tasks are not available at the moment; retry later', { data: { retryAfterMs }, ...options });
  }
}

/** The record is larger than the store takes. Nothing was written, and trying again does not help. */
export class TaskRecordTooLargeError extends RangeError {
  override readonly name = 'TaskRecordTooLargeError';

  constructor(
    readonly bytes: number,
    readonly maxBytes: number,
  ) {
    super(`The task's record would have ${bytes} bytes, but the store accepts ${maxBytes}`);
  }
}

/** The task that an unreadable record belongs to, as far as it is known. */
export type UnreadableTask = Pick<TaskRecord, 'toolName' | 'handlerVersion'>;

/**
 * The record has a format or a status that this version does not know: a newer version wrote it. It is left alone: not rewritten, not taken over, not failed.
 * Clients get -32603 with a text of its own; see `docs/reference/errors.md`.
 */
export class TaskFormatError extends Error {
  override readonly name = 'TaskFormatError';

  /** @param task absent when not even the tool could be read */
  constructor(
    message: string,
    readonly task?: UnreadableTask,
  ) {
    super(message);
  }
}
