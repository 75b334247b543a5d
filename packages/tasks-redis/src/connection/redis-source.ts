import type { Cluster, ClusterNode, ClusterOptions, Redis, RedisOptions } from 'ioredis';

/** Where the Redis is, placeholders resolved. */
export type RedisSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'server'; readonly options: RedisOptions }
  | { readonly kind: 'cluster'; readonly nodes: readonly ClusterNode[]; readonly options: ClusterOptions }
  | { readonly kind: 'client'; readonly client: Redis | Cluster };
