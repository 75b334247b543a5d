import type { TaskRecord } from '@mocapi/tasks';
import type { History } from './history.js';
import type { Schedule } from './schedule.js';

/** What is left when everything has come to rest. */
export interface Remains {
  /** Tasks that could still be read, when the last faults were over and there was time enough. */
  readonly tasks: readonly TaskRecord[];
  /** After every node but one had left: what stood in the run index under sessions of nodes that are gone. */
  readonly deadSessions: readonly string[];
  /** Tasks entered under any session then. */
  readonly entries: number;
  /** Records in the store after all had expired. */
  readonly records: number;
}

/** One schedule, as it went. */
export interface Run {
  readonly seed: number;
  readonly schedule: Schedule;
  readonly history: History;
  readonly remains: Remains;
  /** When the faults were over, in epoch milliseconds. */
  readonly calmAt: number;
  /** How many events there were. */
  readonly events: number;
  /** Two runs with the same mark went the same way, to the last event. */
  readonly mark: string;
}
