import type { ResolvedTasksOptions } from '@mocapi/tasks';
import { LEASE_MS } from './schedule.js';

/** The options of every node. */
export const OPTIONS: ResolvedTasksOptions = {
  ttlMs: 120_000,
  pollIntervalMs: 1000,
  sweepIntervalMs: 1000,
  abandonAfterMs: 2000,
  leaseMs: LEASE_MS,
  drainMs: 500,
  maxAttempts: 3,
  guardsOnTakeover: 'run',
  limits: { maxRunning: 8, maxQueued: 100, maxActivePerPrincipal: 100, maxRecords: 1000 },
};
