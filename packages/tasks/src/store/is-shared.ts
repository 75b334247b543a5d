import { InMemoryTaskStore } from './in-memory-task-store.js';
import type { TaskStore } from './task-store.js';

/** Whether other nodes can have a part in the tasks of the store. */
export function isShared(store: TaskStore): boolean {
  return store.runIndex !== undefined && !(store instanceof InMemoryTaskStore);
}
