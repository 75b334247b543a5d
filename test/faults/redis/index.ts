import type { Fault } from '../support/fault.js';

/** What may happen to the Redis below a store. */
export const REDIS_FAULTS: readonly Fault[] = [];
