import type { Redis } from 'ioredis';
import { allOrNone } from './all-or-none.js';
import { infoOf } from './info-of.js';
import { spawnRedisServer, type RedisServer } from './spawn-redis-server.js';
import { startTcpLink, type TcpLink } from './start-tcp-link.js';
import { until } from './until.js';

/** A primary and its replica. */
export interface RunningRedisPair {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Over which the replica follows the primary. */
  readonly link: TcpLink;
  /** Waits until the replica has all that the primary has written so far. */
  readonly caughtUp: () => Promise<void>;
  /** Makes the replica a primary, as a failover does, whatever has become of the other. */
  readonly promote: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a primary with a replica that has taken over all it holds. `args` are more of the command line of both. */
export async function startRedisPair(args: readonly string[] = []): Promise<RunningRedisPair> {
  const options = { args: ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1', ...args] };
  const servers = await allOrNone([spawnRedisServer(options), spawnRedisServer(options)], (server) => server.stop());
  const [primary, replica] = servers as [RedisServer, RedisServer];
  const link = await startTcpLink(primary.port);
  const stop = async () => void (await Promise.all([primary.stop(), replica.stop(), link.stop()]));
  const [first, second] = [primary.client(), replica.client()];
  try {
    await follow(second, link.port);
    await until(
      'the primary counts its replica as good',
      async () => (await infoOf(first, 'replication')).get('slave0')?.includes('state=online') ?? false,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { primary, replica, link, caughtUp: () => caughtUp(first, second), promote: () => promote(second), stop };
}

/** Makes a server the replica of the one on `port`, and waits until it has taken over what that holds. */
export async function follow(client: Redis, port: number): Promise<void> {
  await client.replicaof('127.0.0.1', port);
  await until('the replica follows its primary', async () => {
    const info = await infoOf(client, 'replication');
    return info.get('master_link_status') === 'up' && info.get('master_sync_in_progress') === '0';
  });
}

async function caughtUp(primary: Redis, replica: Redis): Promise<void> {
  const written = Number((await infoOf(primary, 'replication')).get('master_repl_offset'));
  await until('the replica caught up', async () => Number((await infoOf(replica, 'replication')).get('slave_repl_offset')) >= written);
}

async function promote(replica: Redis): Promise<void> {
  await replica.replicaof('NO', 'ONE');
  await until('the replica is a primary', async () => (await infoOf(replica, 'replication')).get('role') === 'master');
}
