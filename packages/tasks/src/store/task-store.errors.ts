import { ErrorCode, McpError } from '@mocapi/core';
import type { TaskKey } from './task-key.js';

/** `create` met a live task under the key. The task is untouched. */
export class TaskAlreadyExistsError extends Error {
  override readonly name = 'TaskAlreadyExistsError';

  constructor(readonly key: TaskKey) {
    super('A task with this id already exists');
  }
}

/** There is no room for another task. Nothing was stored; the client is told when to come back. */
export class TaskStoreFullError extends McpError {
  constructor(readonly retryAfterMs: number) {
    super(ErrorCode.InternalError, 'Too many tasks; try again later', { data: { retryAfterMs } });
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
