import type { DurationOption } from '@mocapi/core';
import type { KeyRing } from '@mocapi/core/internal';
import type { Cluster, ClusterNode, ClusterOptions, Redis, RedisOptions } from 'ioredis';

/**
 * Options of `McpTasksRedisModule.forRoot`: exactly one of `url`, `redis`, `cluster` and `client` says where the Redis
 * is; every other option has a default. Durations are ISO-8601 or milliseconds.
 */
export interface McpTasksRedisModuleOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  readonly url?: string;
  /** Options of ioredis for one server, or for those that Sentinel watches. */
  readonly redis?: RedisOptions;
  /** A cluster: some of its nodes, and options of ioredis. */
  readonly cluster?: RedisClusterSource;
  /** A client of the application's own. It is used for commands and never closed; for subscriptions it is duplicated. */
  readonly client?: Redis | Cluster;
  /** Prefix of every key and channel. Nodes with the same prefix share their tasks. @default 'mocapi:tasks:' */
  readonly keyPrefix?: string;
  /** How long the boot waits for Redis. @default 'PT10S' */
  readonly connectTimeout?: DurationOption;
  /** How long one command may take. @default 'PT2S' */
  readonly commandTimeout?: DurationOption;
  /** How long a write with an unknown outcome is retried, before the caller is asked to retry. @default 'PT5S' */
  readonly retryFor?: DurationOption;
  /** Bytes of a task's record. @default 4194304 */
  readonly maxRecordBytes?: number;
  /** Whether a task may live forever, and so stay in Redis for good. @default false */
  readonly allowUnlimitedTtl?: boolean;
  readonly encryption?: RecordEncryptionOptions;
  /** Whether the boot fails or warns when Redis may evict tasks: `'warn'` accepts the loss. @default 'refuse' */
  readonly onUnsafe?: 'refuse' | 'warn';
}

/** Some nodes of a cluster, by which the others are found, and how to connect to them. */
export interface RedisClusterSource {
  readonly nodes: readonly ClusterNode[];
  readonly options?: ClusterOptions;
}

/** Encryption of the records in Redis. */
export interface RecordEncryptionOptions {
  /** The first seals, all of them open: put a new key last, then first, and take the old one away when no task of its time is left. */
  readonly keys: KeyRing;
  /** Whether records in clear are read as well, for the time after encryption was turned on. Whoever can write to Redis can then forge tasks. @default false */
  readonly acceptClear?: boolean;
}
