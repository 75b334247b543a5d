import type { ResolvedTasksOptions } from '@mocapi/tasks';
import { LEASE_MS, type Schedule } from './schedule.js';

const MIB = 2 ** 20;

const OPTIONS = {
  ttlMs: 120_000,
  pollIntervalMs: 1000,
  sweepIntervalMs: 1000,
  abandonAfterMs: 2000,
  leaseMs: LEASE_MS,
  drainMs: 500,
  maxAttempts: 3,
  guardsOnTakeover: 'run',
  limits: {
    maxRunning: 8,
    maxQueued: 100,
    maxActivePerPrincipal: 100,
    maxRecords: 1000,
    maxAbandoned: 8,
    maxAbandonedPerPrincipal: 2,
    maxStoredPerPrincipal: 1000,
    maxRecordBytes: MIB,
    maxLedgerBytes: MIB,
    maxStepBytes: MIB,
    maxStatusMessageBytes: 4096,
    maxBytes: 64 * MIB,
    maxBytesPerPrincipal: 64 * MIB,
  },
} satisfies ResolvedTasksOptions;

/** The options of every node under a schedule. */
export function optionsFor({ places, maxAttempts }: Pick<Schedule, 'places' | 'maxAttempts'>): ResolvedTasksOptions {
  return { ...OPTIONS, maxAttempts, limits: { ...OPTIONS.limits, maxRunning: places } };
}
