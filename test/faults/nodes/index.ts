import type { Fault } from '../support/fault.js';

/** What may happen to the nodes above a store. */
export const NODE_FAULTS: readonly Fault[] = [];
