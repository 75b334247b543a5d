import type { McpTasksModuleOptions } from '@mocapi/tasks';

const MANY = 10_000_000;
const MIB = 2 ** 20;

/** Bounds that no load of the benchmark reaches, and tasks that are gone soon after it. */
export const BENCH_TASKS: McpTasksModuleOptions = {
  ttl: Number(process.env['BENCH_TTL'] ?? 20_000),
  sweepInterval: 'PT1S',
  limits: {
    maxRunning: Number(process.env['BENCH_RUNNING'] ?? 64),
    maxQueued: MANY,
    maxActivePerPrincipal: MANY,
    maxStoredPerPrincipal: MANY,
    maxRecords: MANY,
    maxRecordBytes: 16 * MIB,
    maxLedgerBytes: 8 * MIB,
    maxStepBytes: 2 * MIB,
    maxBytes: 8192 * MIB,
    maxBytesPerPrincipal: 8192 * MIB,
  },
};
