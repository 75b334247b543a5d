export type { RedisConnection } from './connection/redis-connection.js';
