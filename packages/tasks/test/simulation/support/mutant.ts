import type { NodeStoreParts } from './node-store-parts.js';
import type { NodeStore } from './node-store.js';
import type { SimulatedServer } from './simulated-server.js';
import type { Schedule } from './schedule.js';
import type { SimulatedNode } from './simulated-node.js';

/** One thing made wrong on purpose, to see that the simulation finds it. */
export interface Mutant {
  /** The store as each node has it. */
  readonly store?: (parts: NodeStoreParts) => NodeStore;
  /** Changes the server after it was made. */
  readonly server?: (server: SimulatedServer) => void;
  /** Makes schedules more likely to show it. */
  readonly schedule?: (drawn: Schedule) => Schedule;
  /** Changes a node after it was made. */
  readonly node?: (node: SimulatedNode) => void;
}
