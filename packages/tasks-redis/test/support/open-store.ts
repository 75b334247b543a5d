import { randomBytes } from 'node:crypto';
import { type Clock, type TaskDraft, type TaskKey, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import type { TaskStoreContractSubject } from '@mocapi/testing';
import { openConnection, type RedisConnection, type RedisSource, RedisTaskStore, type RedisTaskStoreOptions } from '@mocapi/tasks-redis';

/** A prefix that nothing else in the Redis has. */
export function freshPrefix(): string {
  return `test:${randomBytes(6).toString('hex')}:`;
}

const QUIET = { log: () => undefined, warn: () => undefined };

/** A connection as the module makes it; its outages go unsaid. */
export function connect(source: RedisSource): Promise<RedisConnection> {
  return openConnection(source, { connectTimeoutMs: 5000, commandTimeoutMs: 2000 }, QUIET);
}

/** A store on a connection of its own, under a prefix that nothing else has unless one is given. */
export async function openStore(source: RedisSource, options: RedisTaskStoreOptions = {}): Promise<RedisTaskStore> {
  return new RedisTaskStore(await connect(source), { prefix: freshPrefix(), ...options });
}

/** Where a store of the contracts stands: on the node under test, or on another one. */
export type ContractNode = 'node' | 'peer';

/** What the contracts are run on. `connection` is asked for each store, which closes what it got. */
export function contractSubject(
  name: string,
  connection: (node: ContractNode) => RedisConnection | Promise<RedisConnection>,
  clock: 'fake' | 'real',
): TaskStoreContractSubject {
  const prefixes = new WeakMap<object, string>();
  const open = async (node: ContractNode, options: RedisTaskStoreOptions & { prefix: string }) => {
    const store = new RedisTaskStore(await connection(node), options);
    prefixes.set(store, options.prefix);
    return store;
  };
  const timeOf = (time: Clock) => (clock === 'fake' ? { clock: time } : {});
  return {
    name,
    clock,
    bounds: true,
    create: (time, { allowUnlimitedTtl, bounds }) => open('node', { prefix: freshPrefix(), allowUnlimitedTtl, ...bounds, ...timeOf(time) }),
    peer: (store, time) => open('peer', { prefix: prefixes.get(store)!, ...timeOf(time) }),
    dispose: (store) => (store as RedisTaskStore).onApplicationShutdown(),
  };
}

/** A connection for several stores: none of them closes it. */
export function shared(connection: RedisConnection): RedisConnection {
  return { ...connection, close: async () => undefined };
}

/** The key of a task. */
export function keyOf(task: Pick<TaskDraft, 'principal' | 'taskId' | 'endpoint'>): TaskKey {
  return taskKeyOf(task.principal, task.taskId, task.endpoint);
}

/** Adds 1 to the number in the status message: a change that shows how often it was made. */
export function countUp(record: TaskRecord): TaskRecord {
  return { ...record, statusMessage: String(Number(record.statusMessage ?? 0) + 1) };
}
