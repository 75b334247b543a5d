import { getHeapStatistics } from 'node:v8';
import type { McpValueResolver } from '@mocapi/core';
import { OptionReader, type OptionNames } from '@mocapi/core/internal';
import type { McpTasksLimits, McpTasksModuleOptions } from '../tasks-module-options.js';
import { DEFAULT_MAX_RECORD_BYTES, DEFAULT_MAX_STORED_PER_PRINCIPAL } from './task-store-bounds.js';

/** The options of the tasks module with defaults filled in and units converted; frozen. */
export abstract class ResolvedTasksOptions {
  abstract readonly ttlMs: number;
  abstract readonly pollIntervalMs: number;
  abstract readonly sweepIntervalMs: number;
  abstract readonly abandonAfterMs: number;
  abstract readonly leaseMs: number;
  abstract readonly drainMs: number;
  abstract readonly maxAttempts: number;
  abstract readonly guardsOnTakeover: 'run' | 'skip';
  abstract readonly limits: Readonly<Required<McpTasksLimits>>;
}

const NAMES: OptionNames<McpTasksModuleOptions> = {
  ttl: true,
  pollInterval: true,
  sweepInterval: true,
  abandonAfter: true,
  lease: true,
  drain: true,
  maxAttempts: true,
  guardsOnTakeover: true,
  limits: true,
};
const LIMIT_NAMES: OptionNames<McpTasksLimits> = {
  maxRunning: true,
  maxQueued: true,
  maxActivePerPrincipal: true,
  maxAbandoned: true,
  maxAbandonedPerPrincipal: true,
  maxStoredPerPrincipal: true,
  maxRecordBytes: true,
  maxLedgerBytes: true,
  maxStepBytes: true,
  maxStatusMessageBytes: true,
  maxRecords: true,
  maxBytes: true,
  maxBytesPerPrincipal: true,
};

/** A node could not say in less time that it lives. */
const LEAST_LEASE_MS = 100;

/** @throws McpDefinitionsError listing every option that is wrong */
export function resolveTasksOptions(options: McpTasksModuleOptions, resolver: McpValueResolver): ResolvedTasksOptions {
  const read = new OptionReader(resolver, { at: (option, problem) => ({ where: `McpTasksModule ${option}`, problem }) });
  read.known(options, NAMES);
  read.known(options.limits, LIMIT_NAMES, 'limits');
  const resolved = {
    guardsOnTakeover: read.oneOf('guardsOnTakeover', options.guardsOnTakeover ?? 'skip', ['run', 'skip']),
    ttlMs: read.duration('ttl', options.ttl ?? 'PT1H'),
    pollIntervalMs: read.duration('pollInterval', options.pollInterval ?? 'PT2S'),
    sweepIntervalMs: read.duration('sweepInterval', options.sweepInterval ?? 'PT1M'),
    abandonAfterMs: read.duration('abandonAfter', options.abandonAfter ?? 'PT10S'),
    leaseMs: read.duration('lease', options.lease ?? 'PT15S', LEAST_LEASE_MS),
    drainMs: options.drain === 0 ? 0 : read.duration('drain', options.drain ?? 'PT2S'),
    maxAttempts: read.count('maxAttempts', options.maxAttempts ?? 3),
    limits: readLimits(read, options.limits ?? {}),
  };
  read.assertSound();
  return Object.freeze(resolved);
}

/** The default share of one caller: a quarter of all bytes, and a tenth of all records. */
const CALLERS_BYTES = 4;
const CALLERS_RECORDS = 10;
/** The default share of the heap for the in-memory store: running tasks and reads need the rest. */
const HEAP_PART = 8;

function readLimits(reader: OptionReader, limits: McpTasksLimits): Readonly<Required<McpTasksLimits>> {
  const read = (name: keyof McpTasksLimits, fallback: number, least = 1): number =>
    reader.count(`limits.${name}`, limits[name] ?? fallback, { least });
  const maxRunning = read('maxRunning', 64);
  const maxQueued = read('maxQueued', 10_000, 0);
  const maxActivePerPrincipal = read('maxActivePerPrincipal', 1000);
  const maxAbandoned = limits.maxAbandoned === undefined ? maxRunning : read('maxAbandoned', maxRunning);
  const maxRecords = read('maxRecords', 100_000);
  const maxBytes = read('maxBytes', Math.floor(getHeapStatistics().heap_size_limit / HEAP_PART));
  return {
    maxRunning,
    maxQueued,
    maxActivePerPrincipal,
    maxAbandoned,
    maxAbandonedPerPrincipal: read('maxAbandonedPerPrincipal', abandonedPerPrincipal(maxAbandoned)),
    maxRecords,
    maxStoredPerPrincipal: read(
      'maxStoredPerPrincipal',
      Math.min(DEFAULT_MAX_STORED_PER_PRINCIPAL, Math.max(1, Math.ceil(maxRecords / CALLERS_RECORDS))),
    ),
    maxRecordBytes: read('maxRecordBytes', DEFAULT_MAX_RECORD_BYTES),
    maxLedgerBytes: read('maxLedgerBytes', 2 * MIB),
    maxStepBytes: read('maxStepBytes', MIB),
    maxStatusMessageBytes: read('maxStatusMessageBytes', 4096),
    maxBytes,
    maxBytesPerPrincipal: read('maxBytesPerPrincipal', Math.max(1, Math.floor(maxBytes / CALLERS_BYTES))),
  };
}

const MIB = 2 ** 20;

/** The default share of `maxAbandoned` for one account. */
const ACCOUNTS_PART = 4;

/** The default for one caller: a quarter of `maxAbandoned`, and at least one. */
export function abandonedPerPrincipal(maxAbandoned: number): number {
  return Math.max(1, Math.floor(maxAbandoned / ACCOUNTS_PART));
}
