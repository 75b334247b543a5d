export { redisUrl, startSharedRedis } from './shared-redis.js';
export { hasRedis, redisWays, startRedis } from './start-redis.js';
export { startRedisCluster, type RunningRedisCluster } from './start-redis-cluster.js';
export { ensureRedis, type EnsureRedisOptions } from './ensure-redis.js';
export type { InstallHost } from './apt-host.js';
export { NoRedisError, type ClosedWay } from './no-redis.error.js';
export type { RedisWay, RunningRedis } from './redis-way.js';
