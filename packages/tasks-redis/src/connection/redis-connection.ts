import type { Cluster, Redis } from 'ioredis';

/** A single server (or whatever Sentinel names as one), or a cluster. */
export type RedisClient = Redis | Cluster;

/** The connections of one store. */
export interface RedisConnection {
  /**
   * For everything but subscriptions. A client that this package made fails at once while Redis is away, instead of
   * queueing commands.
   */
  readonly commands: RedisClient;
  /**
   * For subscriptions only. It connects with the first one, waits for a Redis that is away, and then subscribes again.
   */
  readonly subscriber: RedisClient;
  readonly isCluster: boolean;
  /** Where it leads, for messages: addresses, never credentials. */
  readonly address: string;
  /**
   * Reconnects the commands, to the current primary. Commands in flight meanwhile are sent again. Several calls at
   * once count as one. A cluster does that by itself.
   */
  reconnect?(): void;
  /** Reconnects the subscriber, and subscribes to everything again. It is not logged as an outage. */
  renewSubscriber?(): void;
  /** Ends the connections that were opened here; a client that was passed in stays open. Idempotent. */
  close(): Promise<void>;
}
