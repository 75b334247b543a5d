import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Global, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpDefinitionsError, McpModule, McpTool } from '@mocapi/core';
import { redisUrl, until } from '@mocapi/redis-harness';
import { InMemoryTaskStore, McpTask, McpTasksModule, TaskStore } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import {
  McpTasksRedisModule,
  RedisTaskStore,
  type McpTasksRedisModuleOptions,
  type McpTasksRedisModuleOptionsFactory,
} from '@mocapi/tasks-redis';
import { Redis } from 'ioredis';
import { freshPrefix } from '../support/open-store.js';

// Each boots a whole application.
jest.setTimeout(30_000);

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @McpTask()
  echo(): string {
    return 'echoed';
  }
}

let opened: McpTestingApp[] = [];
afterEach(async () => {
  await Promise.all(opened.map((testing) => testing.close()));
  opened = [];
});

async function boot(imports: readonly unknown[], providers: readonly unknown[] = []): Promise<McpTestingApp> {
  const testing = await createMcpTestingApp({ imports: imports as never[], providers: [Tools, ...(providers as never[])] });
  opened.push(testing);
  return testing;
}

const store = (testing: McpTestingApp): TaskStore => testing.app.get(TaskStore, { strict: false });

/** Tasks of an application that has its Redis in this way. */
async function echoes(testing: McpTestingApp): Promise<unknown> {
  const client = testing.client().withTasks();
  const { result } = await client.callTool('echo');
  return pollTask(client, result!.taskId!);
}

const ECHOED = { status: 'completed', result: { content: [{ text: 'echoed' }] } };

describe('McpTasksRedisModule', () => {
  it.each([
    ['before', (redis: unknown, tasks: unknown) => [redis, tasks]],
    ['after', (redis: unknown, tasks: unknown) => [tasks, redis]],
  ])('imported %s McpTasksModule keeps its tasks in Redis, and the boot says where', async (_when, order) => {
    const keyPrefix = freshPrefix();
    const testing = await boot(order(McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix }), McpTasksModule.forRoot()));
    expect(store(testing)).toBeInstanceOf(RedisTaskStore);
    expect(await echoes(testing)).toMatchObject(ECHOED);
    const redis = new Redis(redisUrl());
    expect(await redis.keys(`${keyPrefix}*`)).not.toHaveLength(0);
    redis.disconnect();
    const lines = testing.logs.map(({ message }) => message);
    expect(lines).toContainEqual(
      expect.stringMatching(`Tasks are stored by RedisTaskStore \\(.*prefix ${keyPrefix}\\), which McpTasksRedisModule offers`),
    );
    expect(testing.logs.filter(({ context }) => context === 'McpTasksRedis')).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/noeviction/) }),
    );
  });

  it('takes its options from a factory with what that injects', async () => {
    const PREFIX = Symbol('prefix');
    @Module({ providers: [{ provide: PREFIX, useFactory: freshPrefix }], exports: [PREFIX] })
    class SettingsModule {}
    const redis = McpTasksRedisModule.forRootAsync({
      imports: [SettingsModule],
      inject: [PREFIX],
      useFactory: async (keyPrefix: string): Promise<McpTasksRedisModuleOptions> => ({ url: redisUrl(), keyPrefix }),
    });
    const testing = await boot([redis, McpTasksModule.forRoot()]);
    expect(store(testing).description).toContain(`prefix ${testing.app.get(PREFIX, { strict: false })}`);
    expect(await echoes(testing)).toMatchObject(ECHOED);
  });

  it.each(['useClass', 'useExisting'] as const)('takes its options by %s', async (how) => {
    const keyPrefix = freshPrefix();
    @Injectable()
    class Settings implements McpTasksRedisModuleOptionsFactory {
      createMcpTasksRedisOptions(): McpTasksRedisModuleOptions {
        return { url: redisUrl(), keyPrefix };
      }
    }
    @Global()
    @Module({ providers: [Settings], exports: [Settings] })
    class SettingsModule {}
    const testing = await boot([SettingsModule, McpTasksRedisModule.forRootAsync({ [how]: Settings }), McpTasksModule.forRoot()]);
    expect(store(testing).description).toContain(`prefix ${keyPrefix}`);
  });

  it('without any way to its options says which there are', () => {
    expect(() => McpTasksRedisModule.forRootAsync({})).toThrow(/useFactory, useClass and useExisting/);
  });

  it('by a factory that returns nothing stops the boot, and says what is missing', async () => {
    const redis = McpTasksRedisModule.forRootAsync({ useFactory: () => undefined as never });
    await expect(boot([redis, McpTasksModule.forRoot()])).rejects.toThrow(/McpTasksRedisModule .*the address of the Redis is missing/);
  });

  it('without options stops the boot, and does not keep tasks in memory instead', async () => {
    await expect(boot([McpTasksRedisModule, McpTasksModule.forRoot()])).rejects.toThrow(/imported without options/);
  });

  it('uses a client of the application, which is open when the application has ended', async () => {
    const client = new Redis(redisUrl());
    const testing = await boot([McpTasksRedisModule.forRoot({ client, keyPrefix: freshPrefix() }), McpTasksModule.forRoot()]);
    expect(await echoes(testing)).toMatchObject(ECHOED);
    await testing.close();
    opened = [];
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });

  it('leaves no connection behind when the application has ended', async () => {
    const testing = await boot([McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix: freshPrefix() }), McpTasksModule.forRoot()]);
    const { commands, subscriber } = (store(testing) as unknown as { connection: { commands: Redis; subscriber: Redis } }).connection;
    await testing.close();
    opened = [];
    await until('both connections have ended', () => [commands, subscriber].every(({ status }) => status === 'end'));
  });

  it('keeps the tasks of each endpoint under a prefix of its own', async () => {
    const keyPrefix = freshPrefix();
    const testing = await boot([
      McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix }),
      McpTasksModule.forRoot(),
      McpModule.forRoot({ endpoint: 'admin', path: '/admin', name: 'admin', version: '1.0.0' }),
      McpTasksModule.forRoot({ endpoint: 'admin' }),
    ]);
    const messages = testing.logs.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining(`prefix ${keyPrefix})`));
    expect(messages).toContainEqual(expect.stringContaining(`prefix ${keyPrefix}admin:)`));
  });
});

describe('McpTasksRedisModule that nobody uses', () => {
  /** Whatever connects there is counted. */
  async function trap(): Promise<{ url: string; connections: () => number; stop: () => void }> {
    let count = 0;
    const server = createServer((socket) => {
      count += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count, stop: () => server.close() };
  }

  it('connects nothing where a TaskStore is provided', async () => {
    const { url, connections, stop } = await trap();
    const tasks = McpTasksModule.forRoot({ providers: [{ provide: TaskStore, useFactory: () => new InMemoryTaskStore() }] });
    const testing = await boot([McpTasksRedisModule.forRoot({ url }), tasks]);
    expect(await echoes(testing)).toMatchObject(ECHOED);
    expect(connections()).toBe(0);
    stop();
  });

  it('connects nothing where a test overrides the TaskStore, and asks for none of its options', async () => {
    const { url, connections, stop } = await trap();
    const module = await Test.createTestingModule({
      imports: [
        McpModule.forRoot({ name: 'x', version: '1.0.0' }),
        McpTasksRedisModule.forRoot({ url, keyPrefix: '${MOCAPI_TEST_UNSET}' }),
        McpTasksModule.forRoot(),
      ],
      providers: [Tools],
    })
      .overrideProvider(TaskStore)
      .useFactory({ factory: () => new InMemoryTaskStore() })
      .compile();
    const app = await module.createNestApplication(new FastifyAdapter(), { logger: false }).init();
    expect(app.get(TaskStore)).toBeInstanceOf(InMemoryTaskStore);
    await app.close();
    expect(connections()).toBe(0);
    stop();
  });

  it('would connect there if it were used', async () => {
    const { url, connections, stop } = await trap();
    const redis = McpTasksRedisModule.forRoot({ url, connectTimeout: 300, commandTimeout: 300 });
    await expect(boot([redis, McpTasksModule.forRoot()])).rejects.toThrow(/Redis can't be reached at 127.0.0.1/);
    expect(connections()).toBeGreaterThan(0);
    stop();
  });
});

describe('the boot', () => {
  it('stops with every wrong option, listed together', async () => {
    const redis = McpTasksRedisModule.forRoot({ commandTimeout: 'soon', encryption: { keys: [{ id: 'a', key: randomBytes(5) }] } });
    const error: unknown = await boot([redis, McpTasksModule.forRoot()]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(McpDefinitionsError);
    expect((error as McpDefinitionsError).faults.map(({ where }) => where)).toEqual([
      'McpTasksRedisModule url, redis, cluster, client',
      'McpTasksRedisModule commandTimeout',
      'McpTasksRedisModule encryption.keys',
    ]);
  });
});
