import { hash, randomFillSync } from 'node:crypto';
import type { McpPrincipal } from '@mocapi/core';
import { ROOT_ENDPOINT } from '@mocapi/core/internal';

declare const brand: unique symbol;

/**
 * The key of a task in a store: 43 URL-safe characters that reveal nothing about principal or task. It is derived from
 * both, so another caller's task and one that never existed are missing in the same way.
 */
export type TaskKey = string & { readonly [brand]: 'TaskKey' };

const TASK_ID = /^[A-Za-z0-9_-]{43}$/;
const NUL = '\0';
/** Under the `u` flag only a surrogate without its partner is one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Bytes of one task id. */
const ID_BYTES = 32;
/** Task ids that one call of the random source is good for: the call costs far more than the bytes. */
const IDS_AT_ONCE = 128;

// Not from Node's shared pool of small buffers, which other code could be given a part of.
const pool = Buffer.allocUnsafeSlow(ID_BYTES * IDS_AT_ONCE);
let next = pool.length;

/**
 * A task id that nobody can guess: 32 random bytes in base64url, so 43 characters that any header can carry. Each byte
 * is used once, and is gone from memory then.
 */
export function newTaskId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const end = next + ID_BYTES;
  const taskId = pool.toString('base64url', next, end);
  pool.fill(0, next, end);
  next = end;
  return taskId;
}

/** Whether `value` has the form of a task id. What has not is answered as unknown without asking a store. */
export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && TASK_ID.test(value);
}

/**
 * The key of a principal's task; without a principal, of an anonymous caller's. No principal's id can reach an anonymous task.
 * A task of another endpoint than the application's own is that endpoint's alone: its name is part of the key.
 * Refuses an id that identifies nobody: an empty one, and ill-formed UTF-16, of which different strings become the same bytes.
 */
export function taskKeyOf(principal: Pick<McpPrincipal, 'id'> | undefined, taskId: string, endpoint = ROOT_ENDPOINT): TaskKey {
  // Whoever creates a task needs its key, and so does the store a moment later.
  const isAnonymous = principal === undefined;
  if (taskId === last.taskId && isAnonymous === last.isAnonymous && principal?.id === last.principalId && endpoint === last.endpoint)
    return last.key;
  // The id's fixed form is also what makes the joined text unambiguous, whatever characters the principal's id holds.
  if (!isTaskId(taskId)) throw new TypeError('Not a task id: 43 base64url characters are expected');
  const caller = isAnonymous ? `anonymous${NUL}` : `principal${NUL}${identifying(principal.id)}`;
  const text = `mcp-task/1${NUL}${caller}${NUL}${taskId}`;
  // In one call, which costs a quarter of what a `Hash` object does.
  const key = hash('sha256', endpoint === ROOT_ENDPOINT ? text : `${text}${NUL}${endpoint}`, 'base64url') as TaskKey;
  last = { taskId, isAnonymous, principalId: principal?.id, endpoint, key };
  return key;
}

interface Known {
  readonly taskId: string;
  /** An id that is missing identifies nobody: it must not find the key of an anonymous caller. */
  readonly isAnonymous: boolean;
  readonly principalId: string | undefined;
  readonly endpoint: string;
  readonly key: TaskKey;
}

let last: Known = { taskId: '', isAnonymous: true, principalId: undefined, endpoint: '', key: '' as TaskKey };

function identifying(principalId: string): string {
  if (typeof principalId !== 'string' || principalId === '') throw new TypeError('The id of a principal must be a non-empty string');
  if (LONE_SURROGATE.test(principalId)) throw new TypeError('The id of a principal must be well-formed UTF-16');
  return principalId;
}
