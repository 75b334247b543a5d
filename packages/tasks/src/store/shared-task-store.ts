import type { TaskStore } from './task-store.js';
import type { TaskStoreBounds } from '../options/task-store-bounds.js';

/** Under what a module exports the store that it offers. `McpTasksModule` uses it unless it was given a `TaskStore` of its own. */
export const SHARED_TASK_STORE = Symbol('mocapi:SharedTaskStore');

/**
 * A store that several nodes share, as an imported module provides it under `SHARED_TASK_STORE`. It is opened only
 * where it is used: a provided `TaskStore` takes precedence, and then nothing connects.
 */
export abstract class SharedTaskStore {
  /** Name of the module that provides it, for the boot's messages. */
  abstract readonly offeredBy: string;

  /**
   * Opens the store for the tasks of one endpoint, which belong to no other. The returned store is closed by its own
   * `onApplicationShutdown`.
   * @param bounds those of the tasks module, which apply unless the store has options of its own for them
   * @throws Error saying how to fix it if the store can't be used
   */
  abstract open(endpoint: string, bounds?: TaskStoreBounds): Promise<TaskStore>;
}
