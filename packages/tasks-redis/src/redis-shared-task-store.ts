import { Logger } from '@nestjs/common';
import type { McpValueResolver } from '@mocapi/core';
import { ROOT_ENDPOINT } from '@mocapi/core/internal';
import { SharedTaskStore, type TaskStore, type TaskStoreBounds } from '@mocapi/tasks';
import { checkServers } from './boot-check/check-servers.js';
import { openConnection } from './connection/open-connection.js';
import { KeyRingCipher } from './encryption/key-ring-cipher.js';
import type { McpTasksRedisModuleOptions } from './options/redis-module-options.js';
import { resolveRedisOptions } from './options/resolve-redis-options.js';
import { RedisTaskStore } from './store/redis-task-store.js';

/** The store that `McpTasksRedisModule` offers. Until it is opened, nothing is connected, and no option is looked at. */
export class RedisSharedTaskStore extends SharedTaskStore {
  override readonly offeredBy = 'McpTasksRedisModule';
  private readonly logger = new Logger('McpTasksRedis');

  constructor(
    private readonly options: McpTasksRedisModuleOptions | undefined,
    private readonly resolver: McpValueResolver,
  ) {
    super();
  }

  /**
   * Connects, checks the servers and opens the store of an endpoint, under a prefix of its own.
   * @throws McpDefinitionsError listing every option that is wrong
   * @throws Error if Redis can't be reached, or if tasks would not be safe there; nothing stays connected then
   */
  override async open(endpoint: string, bounds?: TaskStoreBounds): Promise<TaskStore> {
    const { source, keyPrefix, encryption, onUnsafe, connectTimeoutMs, ...settings } = resolveRedisOptions(this.options, this.resolver);
    const prefix = endpoint === ROOT_ENDPOINT ? keyPrefix : `${keyPrefix}${endpoint}:`;
    const connection = await openConnection(source, { connectTimeoutMs, commandTimeoutMs: settings.commandTimeoutMs }, this.logger);
    try {
      const servers = await checkServers(connection, { onUnsafe, commandTimeoutMs: settings.commandTimeoutMs }, this.logger);
      const description = `${servers} at ${connection.address}, prefix ${prefix}${encryption ? ', encrypted' : ''}`;
      return new RedisTaskStore(connection, {
        ...settings,
        ...bounds,
        maxRecordBytes: this.options?.maxRecordBytes ?? bounds?.maxRecordBytes ?? settings.maxRecordBytes,
        prefix,
        description,
        ...(encryption ? { cipher: new KeyRingCipher(encryption) } : {}),
      });
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}
