import type { BenchRedis } from '../measure/redis.js';
import type { ProbeResult } from '../rows/row.js';
import { growthOfTasks } from './growth.js';
import { largeArguments } from './large-arguments.js';
import { listeners } from './listeners.js';
import { parkedHeap, parkedInRedis, sleepingHeap } from './memory.js';
import { promisesOfCall } from './promises.js';
import { pushByOtherNode, pushInMemory } from './push.js';
import { stepGrowth, stepGrowthInMemory } from './steps.js';
import { addTool } from './add-tool.js';

/** A scenario that runs by itself, in processes of its own. */
export interface Probe {
  readonly usesRedis: boolean;
  /** How often it runs. What no noise can disturb runs once. @default as often as the options say */
  readonly times?: number;
  readonly run: (redis: BenchRedis | undefined) => Promise<ProbeResult>;
}

/** The probes, by name. */
export const PROBES: Readonly<Record<string, Probe>> = {
  steps: { usesRedis: true, run: stepGrowth },
  'steps-memory': { usesRedis: false, run: stepGrowthInMemory },
  growth: { usesRedis: false, times: 1, run: growthOfTasks },
  listeners: { usesRedis: false, run: listeners },
  'add-tool': { usesRedis: false, run: addTool },
  'large-arguments': { usesRedis: false, run: largeArguments },
  parked: { usesRedis: false, times: 1, run: parkedHeap },
  'parked-redis': { usesRedis: true, times: 1, run: (redis) => parkedInRedis(redis!.client) },
  sleeping: { usesRedis: false, times: 1, run: sleepingHeap },
  push: { usesRedis: false, run: pushInMemory },
  'push-redis': { usesRedis: true, run: pushByOtherNode },
  promises: { usesRedis: false, times: 1, run: promisesOfCall },
};
