import type { Fault } from '../support/fault.js';
import { killRedis } from './f20-kill-redis.js';
import { noPersistence } from './f21-no-persistence.js';
import { pauses } from './f22-pause.js';
import { replyLost } from './f23-reply-lost.js';
import { requestLost } from './f24-request-lost.js';
import { outOfMemory } from './f26-out-of-memory.js';
import { failovers } from './f28-failover.js';
import { demotion } from './f29-demotion.js';
import { slotMigration } from './f30-slot-migration.js';
import { scriptFlush } from './f31-script-flush.js';
import { messageLost, subscriberLost } from './f32-message-lost.js';
import { expiry } from './f33-expiry.js';
import { wrongType } from './f34-wrong-type.js';
import { manyWriters } from './f43-many-writers.js';

/** One Redis that dies, stands still, is full, forgets, or loses what is said to it. */
export const SERVER_FAULTS: readonly Fault[] = [
  killRedis,
  noPersistence,
  ...pauses,
  replyLost,
  requestLost,
  outOfMemory,
  scriptFlush,
  messageLost,
  subscriberLost,
  expiry,
  wrongType,
  manyWriters,
];

/** Several of them, one of which takes the place of another. */
export const FAILOVER_FAULTS: readonly Fault[] = [...failovers, demotion, slotMigration];

/** What may happen to the Redis below a store. */
export const REDIS_FAULTS: readonly Fault[] = [...SERVER_FAULTS, ...FAILOVER_FAULTS];

/** They take long, or stand beside one of their kind that `npm test` runs. */
const ALONE: ReadonlySet<Fault> = new Set([manyWriters, slotMigration, ...failovers.slice(1)]);

/** Those of `faults` that `npm test` runs. `npm run test:faults` runs all. */
export function withinTestRun(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter((fault) => !ALONE.has(fault));
}
