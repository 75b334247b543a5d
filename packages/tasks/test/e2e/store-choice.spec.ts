import { ConsoleLogger, Module, type DynamicModule, type Type } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { ROOT_ENDPOINT } from '@mocapi/core/internal';
import { InMemoryTaskStore, McpTasksModule, SHARED_TASK_STORE, SharedTaskStore, TaskStore } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Test } from '@nestjs/testing';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DelegatingStore } from './support/delegating-store.js';

let opened: string[];

/** Stands for a store that nodes share; it notes whether it was opened, and for which endpoint. */
class OfferedStore extends DelegatingStore {
  override readonly description = 'somewhere: 1.2.3';
}

class Offer extends SharedTaskStore {
  constructor(override readonly offeredBy: string) {
    super();
  }

  override async open(endpoint: string): Promise<TaskStore> {
    opened.push(`${this.offeredBy} for ${endpoint}`);
    return new OfferedStore();
  }
}

class OwnStore extends OfferedStore {}

@Module({})
class RedisLikeModule {}

@Module({})
class PostgresLikeModule {}

function offering(module: Type, { global = true, exported = true } = {}): DynamicModule {
  const provider = { provide: SHARED_TASK_STORE, useFactory: async () => new Offer(module.name) };
  return { module, global, providers: [provider], exports: exported ? [SHARED_TASK_STORE] : [] };
}

const own = { provide: TaskStore, useClass: OwnStore };

let app: McpTestingApp | undefined;

beforeEach(() => (opened = []));

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function boot(...imports: DynamicModule[]): Promise<{ store: TaskStore; lines: string[] }> {
  app = await createMcpTestingApp({ imports });
  return {
    store: app.app.get(TaskStore, { strict: false }),
    lines: app.logs
      .filter(({ context, message }) => context === 'McpTasks' && /tasks are stored/i.test(message))
      .map(({ message }) => message),
  };
}

const refusal = (...imports: DynamicModule[]): Promise<string> =>
  boot(...imports).then(
    () => 'it booted',
    (error: Error) => error.message,
  );

describe('the store that keeps the tasks', () => {
  it('is the memory of the process when no other is there, with a warning', async () => {
    const { store, lines } = await boot(McpTasksModule.forRoot());
    expect(store.constructor).toBe(InMemoryTaskStore);
    expect(lines).toEqual([expect.stringMatching(/memory of this process.*McpTasksRedisModule/)]);
  });

  it.each<[string, () => DynamicModule[]]>([
    ['before', () => [offering(RedisLikeModule), McpTasksModule.forRoot()]],
    ['after', () => [McpTasksModule.forRoot(), offering(RedisLikeModule)]],
    ['inside of', () => [McpTasksModule.forRoot({ imports: [offering(RedisLikeModule, { global: false })] })]],
  ])('is the one that a module offers which is imported %s the tasks module, and the boot says so', async (_where, imports) => {
    const { store, lines } = await boot(...imports());
    expect(store).toBeInstanceOf(OfferedStore);
    expect(opened).toEqual([`RedisLikeModule for ${ROOT_ENDPOINT}`]);
    expect(lines).toEqual(['Tasks are stored by OfferedStore (somewhere: 1.2.3), which RedisLikeModule offers']);
  });

  it.each<[string, () => DynamicModule[]]>([
    ['before', () => [offering(RedisLikeModule), McpTasksModule.forRoot({ providers: [own] })]],
    ['after', () => [McpTasksModule.forRoot({ providers: [own] }), offering(RedisLikeModule)]],
  ])('is the one that was provided, and the offered one (imported %s it) is never opened', async (_where, imports) => {
    const { store, lines } = await boot(...imports());
    expect([store.constructor, opened]).toEqual([OwnStore, []]);
    expect(lines).toEqual(['Tasks are stored by OwnStore (somewhere: 1.2.3), as provided']);
  });

  it('is what a test puts in its place, and nothing else is opened', async () => {
    const stand = new OwnStore();
    const module = await Test.createTestingModule({
      imports: [McpModule.forRoot({ name: 'test', version: '1' }), offering(RedisLikeModule), McpTasksModule.forRoot()],
    })
      .setLogger(new ConsoleLogger({ logLevels: [] }))
      .overrideProvider(TaskStore)
      .useValue(stand)
      .compile();
    const nest = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    await nest.init();
    expect([nest.get(TaskStore, { strict: false }), opened]).toEqual([stand, []]);
    await nest.close();
  });

  it('is opened for each endpoint apart', async () => {
    const second = McpModule.forRoot({ name: 'second', version: '1', endpoint: 'second', path: '/second' });
    await boot(second, offering(RedisLikeModule), McpTasksModule.forRoot(), McpTasksModule.forRoot({ endpoint: 'second' }));
    expect(opened.toSorted()).toEqual([`RedisLikeModule for ${ROOT_ENDPOINT}`, 'RedisLikeModule for second']);
  });

  it('is not chosen between two that are offered: the boot fails and names both', async () => {
    expect(await refusal(offering(RedisLikeModule), McpTasksModule.forRoot(), offering(PostgresLikeModule))).toMatch(
      /2 modules provide a shared task store: RedisLikeModule and PostgresLikeModule[^]*Import only one of them/,
    );
    expect(opened).toEqual([]);
  });

  it('is not quietly the memory when one is offered that can not be seen: the boot fails and says how to show it', async () => {
    for (const hidden of [{ global: false }, { exported: false }]) {
      expect(await refusal(McpTasksModule.forRoot(), offering(RedisLikeModule, hidden))).toMatch(
        /RedisLikeModule has a shared task store[^]*Export SHARED_TASK_STORE from RedisLikeModule/,
      );
    }
    expect(opened).toEqual([]);
  });
});
