import { AsyncResource } from 'node:async_hooks';

const root = new AsyncResource('mocapi:task');

/**
 * Runs `start` outside of every async context of the caller: what resumes a task belongs to the task, and must neither see nor keep the
 * context of the request whose answer resumed it.
 */
export function inRootContext<T>(start: () => T): T {
  // A resource of its own: what `start` enters and does not leave (`AsyncLocalStorage.enterWith`) stays with it.
  return root.runInAsyncScope(() => new AsyncResource('mocapi:task').runInAsyncScope(start));
}
