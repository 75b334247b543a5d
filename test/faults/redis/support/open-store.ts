import { randomBytes } from 'node:crypto';
import { openConnection, type RedisSource, RedisTaskStore, type RedisTaskStoreOptions } from '@mocapi/tasks-redis';
import type { Cleanup } from '../../support/cleanup.js';

/** Faults are expected to be told to the log, and nobody reads it. */
const SILENT = { log: () => undefined, warn: () => undefined };

/** A prefix that nothing else in the Redis has. */
export function freshPrefix(): string {
  return `fault:${randomBytes(6).toString('hex')}:`;
}

/** A store as one node has it, on connections of its own; stores of one prefix share their tasks. */
export async function openStore(
  cleanup: Cleanup,
  source: string | RedisSource,
  options: RedisTaskStoreOptions & { readonly prefix: string },
): Promise<RedisTaskStore> {
  const { commandTimeoutMs = 2000 } = options;
  const from = typeof source === 'string' ? ({ kind: 'url', url: source } as const) : source;
  const connection = await openConnection(from, { connectTimeoutMs: 5000, commandTimeoutMs }, SILENT);
  return cleanup.add(new RedisTaskStore(connection, options), (store) => store.onApplicationShutdown());
}

/** The stores of two nodes. */
export async function openTwoStores(
  cleanup: Cleanup,
  source: string | RedisSource,
  options: RedisTaskStoreOptions = {},
): Promise<readonly [RedisTaskStore, RedisTaskStore]> {
  const shared = { prefix: freshPrefix(), ...options };
  return [await openStore(cleanup, source, shared), await openStore(cleanup, source, shared)];
}
