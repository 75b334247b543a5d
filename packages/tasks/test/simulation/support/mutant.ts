import type { NodeStore, NodeStoreParts } from './simulated-store.js';

/** One thing made wrong on purpose, to see that the simulation finds it. */
export interface Mutant {
  /** The store as each node has it. */
  readonly store?: (parts: NodeStoreParts) => NodeStore;
}
