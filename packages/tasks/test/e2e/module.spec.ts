import { getHeapStatistics } from 'node:v8';
import { McpTool, type McpResult } from '@mocapi/core';
import { ToolRegistry } from '@mocapi/core/extension';
import {
  Clock,
  InMemoryTaskStore,
  InProcessTaskExecutor,
  McpTask,
  McpTasksModule,
  ResolvedTasksOptions,
  TASKS_EXTENSION,
  TaskExecutionEngine,
  TaskExecutor,
  TaskStore,
  taskSettingsOf,
  type McpTasksModuleOptions,
  type McpTasksModuleOptionsFactory,
  type TaskCall,
  type TaskSlot,
} from '@mocapi/tasks';
import { createMcpTestingApp, FakeClock, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { DelegatingStore } from './support/delegating-store.js';

@Injectable()
class Tools {
  @McpTool({ description: 'Answers' })
  @McpTask()
  quick(): string {
    return 'done';
  }

  @McpTool({ description: 'Reads', annotations: { readOnlyHint: true } })
  @McpTask()
  reading(): string {
    return 'read';
  }

  @McpTool({ description: 'Puts', annotations: { idempotentHint: true } })
  @McpTask({ recover: 'fail' })
  putting(): string {
    return 'put';
  }
}

let app: McpTestingApp | undefined;

async function boot(...imports: DynamicModule[]): Promise<McpTestingApp> {
  return (app = await createMcpTestingApp({ imports, providers: [Tools] }));
}

afterEach(async () => {
  await app?.close();
  app = undefined;
});

const call = async (testing: McpTestingApp): Promise<McpResult | undefined> =>
  (await testing.client().withTasks().callTool('quick')).result;

describe('McpTasksModule.forRoot', () => {
  it('has its defaults', async () => {
    const testing = await boot(McpTasksModule.forRoot());
    expect(testing.app.get(ResolvedTasksOptions, { strict: false })).toEqual({
      ttlMs: 3_600_000,
      pollIntervalMs: 2000,
      sweepIntervalMs: 60_000,
      abandonAfterMs: 10_000,
      leaseMs: 15_000,
      drainMs: 2000,
      maxAttempts: 3,
      guardsOnTakeover: 'skip',
      limits: {
        maxRunning: 64,
        maxQueued: 10_000,
        maxActivePerPrincipal: 1000,
        maxAbandoned: 64,
        maxAbandonedPerPrincipal: 16,
        maxRecords: 100_000,
        maxStoredPerPrincipal: 10_000,
        maxRecordBytes: 4 * 2 ** 20,
        maxLedgerBytes: 2 * 2 ** 20,
        maxStepBytes: 2 ** 20,
        maxStatusMessageBytes: 4096,
        maxBytes: Math.floor(getHeapStatistics().heap_size_limit / 8),
        maxBytesPerPrincipal: Math.floor(Math.floor(getHeapStatistics().heap_size_limit / 8) / 4),
      },
    });
    expect(await call(testing)).toMatchObject({ ttlMs: 3_600_000, pollIntervalMs: 2000 });
  });

  it('advertises the extension with no settings', async () => {
    const testing = await boot(McpTasksModule.forRoot());
    expect((await testing.client().discover()).result?.capabilities).toEqual({
      tools: { listChanged: true },
      extensions: { [TASKS_EXTENSION]: {} },
    });
  });

  it('warns at boot that tasks are in memory, and that nobody is told apart', async () => {
    const testing = await boot(McpTasksModule.forRoot());
    const warnings = testing.logs.filter(({ level, context }) => level === 'warn' && context === 'McpTasks').map(({ message }) => message);
    expect(warnings).toEqual([expect.stringMatching(/memory.*restart loses them/), expect.stringMatching(/whoever knows a task id/)]);
  });

  it('lets a tool that reads or repeats itself harmlessly run again after a crash, unless it says otherwise', async () => {
    const testing = await boot(McpTasksModule.forRoot());
    const registry = testing.app.get(ToolRegistry, { strict: false });
    const recover = ['quick', 'reading', 'putting'].map((name) => taskSettingsOf(registry.byKey.get(name)!)?.recover);
    expect(recover).toEqual(['fail', 'replay', 'fail']);
  });
});

describe('McpTasksModule.forRootAsync', () => {
  const TTL = Symbol('TTL');

  @Injectable()
  class Factory implements McpTasksModuleOptionsFactory {
    constructor(@Inject(TTL) private readonly ttl: string) {}

    async createMcpTasksOptions(): Promise<McpTasksModuleOptions> {
      return { ttl: this.ttl };
    }
  }

  @Module({ providers: [{ provide: TTL, useValue: 'PT7S' }, Factory], exports: [TTL, Factory] })
  class ConfigModule {}

  const imports = [ConfigModule];

  it.each([
    ['useFactory', () => McpTasksModule.forRootAsync({ imports, inject: [TTL], useFactory: async (ttl: string) => ({ ttl }) })],
    ['useClass', () => McpTasksModule.forRootAsync({ imports, useClass: Factory })],
    ['useExisting', () => McpTasksModule.forRootAsync({ imports, useExisting: Factory })],
  ])('takes its options by %s', async (_how, tasks) => {
    expect(await call(await boot(tasks()))).toMatchObject({ ttlMs: 7000 });
  });

  it('takes providers too', async () => {
    const clock = new FakeClock(0);
    const tasks = McpTasksModule.forRootAsync({ useFactory: () => ({}), providers: [{ provide: Clock, useValue: clock }] });
    expect(await call(await boot(tasks))).toMatchObject({ createdAt: '1970-01-01T00:00:00.000Z' });
  });

  it('needs one of the three', () => {
    expect(() => McpTasksModule.forRootAsync({})).toThrow(/useFactory, useClass and useExisting/);
  });
});

describe('a provider given to the module', () => {
  it('TaskStore takes the place of the one in memory, which is never made, and is named at boot with what it lacks', async () => {
    let made = 0;
    @Injectable()
    class OwnStore extends DelegatingStore {
      constructor() {
        super();
        made += 1;
      }
    }
    const testing = await boot(McpTasksModule.forRoot({ providers: [{ provide: TaskStore, useClass: OwnStore }] }));
    const client = testing.client().withTasks();
    const { result } = await client.callTool('quick');
    expect(await pollTask(client, result!.taskId!)).toMatchObject({ status: 'completed' });
    expect(testing.app.get(TaskStore, { strict: false })).toBeInstanceOf(OwnStore);
    expect(made).toBe(1);
    const said = testing.logs.filter(({ context }) => context === 'McpTasks').map(({ message }) => message);
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringContaining('OwnStore'),
        expect.stringContaining('no run index'),
        expect.stringContaining('no change feed'),
      ]),
    );
    expect(said.join()).not.toContain('memory');
  });

  it('TaskExecutor decides where attempts run', async () => {
    class CountingExecutor extends InProcessTaskExecutor {
      reserved = 0;

      override reserve(options?: { resumed?: boolean }): TaskSlot {
        this.reserved += 1;
        return super.reserve(options);
      }
    }
    const executor = new CountingExecutor({ maxRunning: 1, maxQueued: 0 });
    const testing = await boot(McpTasksModule.forRoot({ providers: [{ provide: TaskExecutor, useValue: executor }] }));
    await call(testing);
    expect(executor.reserved).toBe(1);
  });

  it('TaskExecutionEngine may be a subclass', async () => {
    const started: string[] = [];
    @Injectable()
    class LoudEngine extends TaskExecutionEngine {
      override start(task: TaskCall): Promise<McpResult> {
        started.push(task.call.name);
        return super.start(task);
      }
    }
    const testing = await boot(McpTasksModule.forRoot({ providers: [{ provide: TaskExecutionEngine, useClass: LoudEngine }] }));
    expect(await call(testing)).toMatchObject({ resultType: 'task' });
    expect(started).toEqual(['quick']);
  });

  it('the last one of a token wins', async () => {
    const [first, last] = [new InMemoryTaskStore(), new InMemoryTaskStore()];
    const providers = [
      { provide: TaskStore, useValue: first },
      { provide: TaskStore, useValue: last },
    ];
    await call(await boot(McpTasksModule.forRoot({ providers })));
    expect([first.size, last.size]).toEqual([0, 1]);
  });
});
