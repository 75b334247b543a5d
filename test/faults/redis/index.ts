import type { Fault } from '../support/fault.js';
import { killRedis } from './f20-kill-redis.js';
import { noPersistence } from './f21-no-persistence.js';
import { pauses } from './f22-pause.js';
import { replyLost } from './f23-reply-lost.js';
import { requestLost } from './f24-request-lost.js';
import { outOfMemory } from './f26-out-of-memory.js';

/** What may happen to the Redis below a store. */
export const REDIS_FAULTS: readonly Fault[] = [killRedis, noPersistence, ...pauses, replyLost, requestLost, outOfMemory];
