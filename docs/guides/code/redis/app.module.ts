import { Injectable } from '@nestjs/common';
import type { McpTasksRedisModuleOptions } from '@mocapi/tasks-redis';
import { Redis } from 'ioredis';

// #region url
import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';

@Module({
  imports: [
    McpModule.forRoot({ name: 'video', version: '1.0.0' }),
    McpTasksModule.forRoot(),
    McpTasksRedisModule.forRoot({ url: '${REDIS_URL}' }),
  ],
})
export class AppModule {}
// #endregion url

// #region cluster
export const cluster: McpTasksRedisModuleOptions = {
  cluster: {
    nodes: [
      { host: 'redis-1', port: 6379 },
      { host: 'redis-2', port: 6379 },
    ],
    options: { redisOptions: { username: 'mocapi', password: '${REDIS_PASSWORD}' } },
  },
};
// #endregion cluster

// #region sentinel
export const sentinel: McpTasksRedisModuleOptions = {
  redis: {
    name: 'main',
    sentinels: [
      { host: 'sentinel-1', port: 26_379 },
      { host: 'sentinel-2', port: 26_379 },
      { host: 'sentinel-3', port: 26_379 },
    ],
    username: 'mocapi',
    password: '${REDIS_PASSWORD}',
  },
};
// #endregion sentinel

// #region client
@Injectable()
export class Connections {
  readonly redis = new Redis(process.env['REDIS_URL']!);

  async onApplicationShutdown(): Promise<void> {
    await this.redis.quit();
  }
}

@Module({ providers: [Connections], exports: [Connections] })
export class ConnectionsModule {}

export const withClient = McpTasksRedisModule.forRootAsync({
  imports: [ConnectionsModule],
  inject: [Connections],
  useFactory: ({ redis }: Connections) => ({ client: redis, keyPrefix: 'video:tasks:' }),
});
// #endregion client

// #region encryption
export const encrypted: McpTasksRedisModuleOptions = {
  url: '${REDIS_URL}',
  encryption: {
    keys: [
      { id: '2026-11', key: '${TASK_KEY_2026_11}' },
      { id: '2026-05', key: '${TASK_KEY_2026_05}' },
    ],
  },
};
// #endregion encryption
