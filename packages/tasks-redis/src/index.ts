// For people who write servers.
export {
  McpTasksRedisModule,
  type McpTasksRedisModuleAsyncOptions,
  type McpTasksRedisModuleOptionsFactory,
} from './mcp-tasks-redis.module.js';
export type { McpTasksRedisModuleOptions, RecordEncryptionOptions, RedisClusterSource } from './options/redis-module-options.js';
export { SealedRecordError } from './encryption/record-cipher.js';

// For those who make a store by hand.
export { RedisTaskStore, type RedisTaskStoreOptions } from './store/redis-task-store.js';
export { openConnection } from './connection/open-connection.js';
export type { ConnectionSettings } from './connection/client-options.js';
export type { RedisClient, RedisConnection } from './connection/redis-connection.js';
export type { RedisSource } from './connection/redis-source.js';
export { KeyRingCipher, type KeyRingCipherSettings, RECORD_KEYS } from './encryption/key-ring-cipher.js';
export type { RecordCipher } from './encryption/record-cipher.js';
export { RedisRefusedError } from './commands/redis-commands.js';
