import type { ClusterOptions, RedisOptions } from 'ioredis';

/** The bounds of the connections that are made here. */
export interface ConnectionSettings {
  /** How long the boot waits for Redis. */
  readonly connectTimeoutMs: number;
  /** How long one command may take. */
  readonly commandTimeoutMs: number;
}

/** After so many timeouts without a byte the connection is considered dead. */
const SILENT_TIMEOUTS = 3;

/** Options that an application may override. */
function preferred({ connectTimeoutMs }: ConnectionSettings): RedisOptions {
  return {
    connectTimeout: connectTimeoutMs,
    // Of a connection that is away, ioredis waits for so long for an end that was there before: an application that ends waits with it.
    disconnectTimeout: 500,
    connectionName: 'mocapi-tasks',
    // Redis before 7.2 does not know the command that this would send.
    disableClientInfo: true,
    retryStrategy: (times) => retryDelay(times),
    // A server that became a replica: connect again, to the present primary, and ask again.
    // Before Redis 7 the word comes within a sentence about the script.
    reconnectOnError: (error) => (/(^|[\s-])READONLY /.test(error.message) ? 2 : false),
  };
}

/** Options that the store relies on, whatever the application sets. */
function required({ commandTimeoutMs }: ConnectionSettings): RedisOptions {
  return {
    lazyConnect: true,
    // Each command has its deadline here (DeadlineQueue): another timer for each would only cost.
    commandTimeout: undefined,
    socketTimeout: SILENT_TIMEOUTS * commandTimeoutMs,
    // In flight when the connection broke: sent again once, which is harmless, for every write carries its operation's id.
    autoResendUnfulfilledCommands: true,
    maxRetriesPerRequest: 1,
    stringNumbers: false,
    replyMapping: 'legacy',
  };
}

/** Options of ioredis for the connection that commands go through: while Redis is away they fail at once. */
export function commandOptions(given: RedisOptions, settings: ConnectionSettings): RedisOptions {
  return { ...preferred(settings), ...given, ...required(settings), enableOfflineQueue: false };
}

/** The same for a cluster. */
export function clusterOptions(given: ClusterOptions, settings: ConnectionSettings): ClusterOptions {
  // A node's own attempts are those of the cluster, which knows where its slots went.
  const { retryStrategy, ...node } = { ...preferred(settings), ...given.redisOptions, ...required(settings) } as RedisOptions;
  return {
    clusterRetryStrategy: retryStrategy,
    ...given,
    redisOptions: node,
    lazyConnect: true,
    enableOfflineQueue: false,
  };
}

/** Options of the connection for subscriptions: it waits for Redis, however long that takes, and subscribes to everything again. */
export const SUBSCRIBER_OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
  commandTimeout: undefined,
  socketTimeout: undefined,
  retryStrategy: (times) => retryDelay(times),
  autoResubscribe: true,
  connectionName: 'mocapi-tasks-pubsub',
} satisfies RedisOptions;

const FIRST_MS = 50;
const MOST_MS = 2000;

/** Milliseconds before the next attempt to connect, the first being 1: doubling up to 2 seconds, and by chance down to half of it, so that nodes don't come back as one. */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(FIRST_MS * 2 ** (attempt - 1), MOST_MS);
  return Math.round(most * (0.5 + random() / 2));
}
