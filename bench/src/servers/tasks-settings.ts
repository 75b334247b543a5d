import type { McpTasksModuleOptions } from '@mocapi/tasks';

const MANY = 10_000_000;

/** Bounds that no load of the benchmark reaches, and tasks that go soon after it. */
export const BENCH_TASKS: McpTasksModuleOptions = {
  ttl: Number(process.env['BENCH_TTL'] ?? 20_000),
  limits: {
    maxQueued: MANY,
    maxActivePerPrincipal: MANY,
    maxStoredPerPrincipal: MANY,
    maxRecords: MANY,
    maxBytes: 2 ** 33,
    maxBytesPerPrincipal: 2 ** 33,
  },
};
