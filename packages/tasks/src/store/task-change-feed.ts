import type { TaskKey } from './task-key.js';

/**
 * Called when a task has changed, with its new version: `Infinity` if it is unknown what was missed, such as after a
 * lost connection.
 */
export type TaskChangeListener = (version: number) => void;

/** Ends a watch. Harmless when called again. */
export type Unwatch = () => void;

/**
 * Optional seam of a store: hears of changes to a task, whichever node made them.
 *
 * - A call is a hint to read the store: a change may be announced twice, several as one, and in a fault one may be missed.
 *   Whoever must not miss it also reads now and then.
 * - It comes after the change is committed and never from inside the write; expiry and deletion are not announced.
 * - A watch of an unknown key is allowed. A watch costs no timer.
 */
export abstract class TaskChangeFeed {
  abstract watch(key: TaskKey, listener: TaskChangeListener): Unwatch;
}
