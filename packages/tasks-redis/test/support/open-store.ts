import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { TaskStoreContractSubject } from '@mocapi/testing';
import { openConnection, type RedisConnection, type RedisSource, RedisTaskStore, type RedisTaskStoreOptions } from '@mocapi/tasks-redis';

/** A prefix that nothing else in the Redis has. */
export function freshPrefix(): string {
  return `test:${randomBytes(6).toString('hex')}:`;
}

/** A connection as the module makes it. */
export function connect(source: RedisSource): Promise<RedisConnection> {
  return openConnection(source, { connectTimeoutMs: 5000, commandTimeoutMs: 2000 }, new Logger('Redis'));
}

/** A store on a connection of its own, under a prefix that nothing else has unless one is given. */
export async function openStore(source: RedisSource, options: RedisTaskStoreOptions = {}): Promise<RedisTaskStore> {
  return new RedisTaskStore(await connect(source), { prefix: freshPrefix(), ...options });
}

/** What the contracts are run on. `source` is asked when a test begins: the server may be started by then. */
export function contractSubject(name: string, source: () => RedisSource, clock: 'fake' | 'real'): TaskStoreContractSubject {
  const prefixes = new WeakMap<object, string>();
  const open = async (prefix: string, options: RedisTaskStoreOptions) => {
    const store = await openStore(source(), { ...options, prefix });
    prefixes.set(store, prefix);
    return store;
  };
  return {
    name,
    clock,
    create: (time, { allowUnlimitedTtl }) => open(freshPrefix(), { allowUnlimitedTtl, ...(clock === 'fake' ? { clock: time } : {}) }),
    peer: (store, time) => open(prefixes.get(store)!, clock === 'fake' ? { clock: time } : {}),
    dispose: (store) => (store as RedisTaskStore).onApplicationShutdown(),
  };
}
