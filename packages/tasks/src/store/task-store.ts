import type { LedgerEntry } from '@mocapi/core/extension';
import type { RunToken, TaskDraft, TaskRecord, TaskView } from '../record/task-record.js';
import { isRunBy, settle, withLedgerEntry } from '../record/task-transitions.js';
import type { TaskChangeFeed } from './task-change-feed.js';
import type { TaskKey } from './task-key.js';
import type { TaskRunIndex } from './task-run-index.js';

/**
 * Makes of a record the next one. Pure and clock-free, since a store may run it several times with different records.
 * Returning the very object it was given says "no change".
 *
 * It recognises its own work (by a run id, by `answeredBy`, by the status it sets) and then changes nothing: when a reply is lost and another writer is
 * quicker than the second try, a store runs it on a record in which it has taken effect before.
 */
export type TaskMutation = (record: TaskRecord) => TaskRecord;

/**
 * Where tasks live. The class is the token. `taskStoreContract` of `@mocapi/testing` holds a store to each promise below.
 *
 * **Time and version.** The store alone sets `createdAt`, `lastUpdatedAt` and `version`, by its own clock: at creation, where the version
 * is 1, and once per committed change, which moves `lastUpdatedAt` and adds exactly 1. Nothing a draft or mutation says about them counts.
 *
 * **Life.** A task is alive while `now <= createdAt + ttlMs`, its deadline included. After that it can't be read, changed or revived,
 * whether or not it was removed yet. `ttlMs` is a whole number of at least 1, or null (no end) only if the store was told to allow it;
 * anything else rejects with `InvalidTaskTtlError`.
 *
 * **Values.** Records are JSON: what JSON can't hold without loss rejects with `NotJsonError`, which names its path. What a caller does to an
 * object after it gave it or got it never reaches the store.
 *
 * **Size.** A record larger than `maxRecordBytes` of JSON rejects with `TaskRecordTooLargeError`, at creation and at each change; nothing is written.
 *
 * **Keys.** A key is made of principal, task id and endpoint (`taskKeyOf`), so a foreign id and an unknown one take the same path.
 */
export abstract class TaskStore {
  /** Text about the store in the boot's message, besides its class: where it keeps tasks, and in which version. */
  readonly description?: string;

  /** Optional seam: hears of changes. Without it changes are found by reading. */
  readonly changeFeed?: TaskChangeFeed;

  /** Optional seam: finds the tasks of dead nodes. Without it they stay `working` until they expire. */
  readonly runIndex?: TaskRunIndex;

  /**
   * Optional seam: calls `listener` each time the store can be used again after it could not. What waits for the store then tries again at once;
   * without it, after up to half a minute. Returns what ends it.
   */
  whenBack?(listener: () => void): () => void;

  /**
   * Stores a task under the key of its principal, id and endpoint. It is durable before this resolves: a `get` on any node then finds it.
   * On a live key it rejects with `TaskAlreadyExistsError` and leaves that task untouched; on an expired one it succeeds.
   * Without room it rejects with `TaskStoreFullError`, and with `TaskQuotaError` when the draft's account (`accountOf`) has as many tasks as
   * `maxStoredPerPrincipal` allows, those that have ended included and those that have expired not. Whenever it rejects nothing was stored.
   */
  abstract create(draft: TaskDraft): Promise<TaskRecord>;

  /** The task, or undefined if it is unknown or expired. */
  abstract get(key: TaskKey): Promise<TaskRecord | undefined>;

  /**
   * The task without its ledger, or undefined: for polls, streams and checks, which come often while the ledger may be long. Otherwise the same as `get`,
   * which it calls by default. A store that keeps the ledger apart overrides it. It may leave a kind of entry that this version does not know to `get`.
   */
  view(key: TaskKey): Promise<TaskView | undefined> {
    return this.get(key);
  }

  /**
   * Writes one entry of the ledger if `token` is the run that holds the task, as one atomic step: in the open slot of its key, or at the end.
   * Resolves to whether that run holds the task; if not, nothing is written. It is a change like any other: it moves time and version, and is announced.
   *
   * - An answered slot keeps what it holds, and the call still resolves to true. So the same entry may be written again after a lost reply.
   * - It rejects as `update` does.
   *
   * By default it is an `update` of the whole record. A store that keeps the ledger apart overrides it, so that a step costs no more when there are many.
   */
  async recordEntry(key: TaskKey, token: RunToken, entry: LedgerEntry): Promise<boolean> {
    const record = await this.update(key, (current) => settle(current, token, (own) => withLedgerEntry(own, entry)));
    return record !== undefined && isRunBy(record, token);
  }

  /**
   * Reads, mutates and writes as one atomic step; resolves to the record as it then is, or to undefined if it is unknown or expired.
   *
   * - However many writers there are, each change starts from the one before it: none is lost.
   * - The same object back writes nothing and moves neither time nor version.
   * - Whoever needs to know whether it won reads it from the returned record (`run.id`, `answeredBy`), never from a variable set inside
   *   `mutate`: that may have run for a write that then lost.
   * - If `mutate` throws, this rejects with what it threw. If it returns no record (nothing, a promise) or one of another principal, id or endpoint,
   *   this rejects with `InvalidMutationError`. Either way nothing is written.
   * - A mutation may change `ttlMs`. If the new deadline has passed, the task is gone and this resolves to undefined.
   */
  abstract update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined>;

  /** Removes the task, if there is one. Idempotent. The key is free at once. */
  abstract delete(key: TaskKey): Promise<void>;
}
