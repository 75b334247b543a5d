import type { LoggerService } from '@nestjs/common';
import { Cluster, Redis } from 'ioredis';
import { DeadlineQueue } from './deadline-queue.js';
import type { RedisSource } from './redis-source.js';
import { awaitReady } from './await-ready.js';
import { clusterOptions, commandOptions, SUBSCRIBER_OPTIONS, type ConnectionSettings } from './client-options.js';
import { addressOf } from './describe-address.js';
import { OutageLog } from './outage-log.js';
import type { RedisClient, RedisConnection } from './redis-connection.js';

/**
 * Connects to a source, and logs its outages from then on.
 * @throws Error saying which address did not answer, and why; then nothing stays open
 */
export async function openConnection(
  source: RedisSource,
  settings: ConnectionSettings,
  logger: Pick<LoggerService, 'log' | 'warn'>,
): Promise<RedisConnection> {
  const address = addressOf(source);
  const commands = source.kind === 'client' ? source.client : createClient(source, settings);
  const own = source.kind !== 'client';
  if (own) listenToErrors(commands);
  try {
    await awaitReady(commands, settings.connectTimeoutMs);
  } catch (error) {
    if (own) end(commands);
    throw new Error(`Redis can't be reached at ${address}: ${(error as Error).message}`, { cause: error });
  }
  const subscriber = subscriberOf(commands);
  listenToErrors(subscriber);
  catchRefusals(subscriber);
  const outages = new OutageLog(logger);
  for (const client of [commands, subscriber]) outages.watch(client, address);
  const close = async () => {
    outages.stop();
    end(subscriber);
    if (own) await quit(commands, settings.commandTimeoutMs);
  };
  const reconnect = () => reconnectOnce(commands);
  const renewSubscriber = () => {
    outages.expect(subscriber);
    subscriber.disconnect(true);
  };
  return { commands, subscriber, isCluster: commands.isCluster, address, reconnect, renewSubscriber, close };
}

function createClient(source: Exclude<RedisSource, { kind: 'client' }>, settings: ConnectionSettings): RedisClient {
  switch (source.kind) {
    case 'url':
      return new Redis(source.url, commandOptions({}, settings));
    case 'server':
      return new Redis(commandOptions(source.options, settings));
    case 'cluster':
      return new Cluster([...source.nodes], clusterOptions(source.options, settings));
  }
}

function subscriberOf(commands: RedisClient): RedisClient {
  if (!isCluster(commands)) return commands.duplicate(SUBSCRIBER_OPTIONS);
  // A cluster subscribes by a connection of its own anyway; the duplicate is for the queue, which waits for the cluster.
  return commands.duplicate([], { lazyConnect: true, enableOfflineQueue: true });
}

function isCluster(client: RedisClient): client is Cluster {
  return client.isCluster;
}

/** A client that is being closed must not be closed again: each call would break what the one before has made. */
function reconnectOnce(client: RedisClient): void {
  if (isCluster(client) || client.status !== 'ready' || RECONNECTING.has(client)) return;
  // Without a strategy it would stay closed, which is not ours to decide.
  if (typeof client.options.retryStrategy !== 'function') return;
  RECONNECTING.add(client);
  client.once('close', () => RECONNECTING.delete(client));
  client.disconnect(true);
}

const RECONNECTING = new WeakSet<RedisClient>();

function listenToErrors(client: RedisClient): void {
  client.on('error', () => undefined);
}

/**
 * Catches the rejection of a subscription that the client repeats by itself: nobody else could catch it, and it would
 * end the process. Who subscribed learns it all the same.
 */
function catchRefusals(client: RedisClient): void {
  const subscribe = client.subscribe.bind(client) as (...channels: unknown[]) => Promise<unknown>;
  const caught = (...channels: unknown[]): Promise<unknown> => {
    const subscribed = subscribe(...channels);
    subscribed.catch(() => undefined);
    return subscribed;
  };
  client.subscribe = caught;
}

/** Ends after the commands in flight, unless nobody is there to answer them. */
async function quit(client: RedisClient, timeoutMs: number): Promise<void> {
  const deadline = new DeadlineQueue(timeoutMs);
  if (client.status === 'ready') await deadline.within(client.quit()).catch(() => undefined);
  deadline.close();
  end(client);
}

function end(client: RedisClient): void {
  // On a connection that has ended, ioredis would wait 2 seconds for its end.
  if (client.status !== 'end') client.disconnect();
}
