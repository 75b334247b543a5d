import type { Fault } from '../support/fault.js';
import { simulatedSchedules } from './sim-schedules.js';

/** What may happen to nodes, store and messages together, in simulated time. */
export const SIMULATED_FAULTS: readonly Fault[] = [simulatedSchedules];
