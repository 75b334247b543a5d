import type { Cluster, Redis } from 'ioredis';

/** A single server (or whatever Sentinel names as one), or a cluster. */
export type RedisClient = Redis | Cluster;

/** The connections of one store. */
export interface RedisConnection {
  /** For everything but subscriptions. One that this package made fails at once while Redis is away, instead of collecting what is asked for. */
  readonly commands: RedisClient;
  /** For subscriptions alone. It connects with the first one, waits for a Redis that is away, and then subscribes anew. */
  readonly subscriber: RedisClient;
  readonly isCluster: boolean;
  /** Where it leads, for messages: addresses, never credentials. */
  readonly address: string;
  /**
   * Connects the commands anew, to whoever is the primary now. In flight meanwhile is sent again. Several calls at once count as one. A cluster does
   * that by itself.
   */
  reconnect?(): void;
  /** Connects the subscriber anew, and subscribes to everything again. It is not logged as an outage. */
  renewSubscriber?(): void;
  /** Ends what was opened here; a client that was handed in stays open. Idempotent. */
  close(): Promise<void>;
}
