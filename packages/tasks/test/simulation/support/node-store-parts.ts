import type { Life } from './history.js';
import type { Link } from './link.js';
import type { SimulatedServer } from './simulated-server.js';

/** What the node's side of the store is made of. */
export interface NodeStoreParts {
  readonly link: Link;
  readonly server: SimulatedServer;
  readonly life: Life;
}
