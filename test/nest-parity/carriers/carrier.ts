import type { McpTestClient } from '@mocapi/testing';
import type { Observation } from '../compare/observation.js';
import type { Input } from '../model/row.js';
import type { Surface } from '../model/surface.js';

/** Where a carrier sends its requests. */
export interface Ground {
  /** The address of the application, without a path. */
  readonly origin: string;
  readonly client: McpTestClient;
}

/** One request of one row. */
export interface Trip {
  readonly surface: Surface;
  readonly input: Input;
}

/** One way to a handler. */
export interface Carrier {
  readonly name: string;
  /** Why this carrier cannot carry the request, whatever the product does. @returns undefined if it can */
  obstacle(trip: Trip, route: Observation): string | undefined;
  run(ground: Ground, trip: Trip): Promise<Observation>;
  /** Whether the answer's HTTP headers leave before the handler runs: then only those that guards set can be among them. */
  readonly leavesEarly?: true;
}
