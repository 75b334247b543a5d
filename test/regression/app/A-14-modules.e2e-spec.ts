import { McpModule, McpRegistrar, McpTool } from '@mocapi/core';
import { McpTasksModule, TaskStore } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { Inject, Injectable, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Injectable()
class Registers {
  constructor(@Inject(McpRegistrar) readonly registrar: McpRegistrar) {}
}

@Injectable()
class ReadsTasks {
  constructor(@Inject(TaskStore) readonly store: TaskStore) {}
}

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  run(): string {
    return 'ran';
  }
}

type Imports = readonly (Type | DynamicModule)[];

/** The message with which an application of these does not start. */
async function faultOf(imports: Imports, providers: readonly Provider[] = []): Promise<string> {
  @Module({ imports: [...imports], providers: [...providers] })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false }).catch(
    (error: unknown) => error,
  );
  if (app instanceof Error) return app.message;
  await (app as { close(): Promise<void> }).close();
  return 'no fault';
}

const server = McpModule.forRoot({ name: 'test', version: '1.0.0' });
const WRITE_SERVER = /McpModule\.forRoot\(\{ name: '.*', version: '.*' \}\)/;
const WRITE_TASKS = /McpTasksModule\.forRoot\(\)/;
const redis = McpTasksRedisModule.forRoot({ url: 'redis://127.0.0.1:1' });

describe('A-14: a module that is missing, or imported without options, is named at boot with what to write', () => {
  it.each<readonly [string, Imports, readonly Provider[], RegExp]>([
    ['McpModule without forRoot', [McpModule], [Tools], WRITE_SERVER],
    ['McpModule without forRoot, a part of it injected', [McpModule], [Registers], WRITE_SERVER],
    ['McpTasksModule without McpModule', [McpTasksModule.forRoot()], [], WRITE_SERVER],
    ['McpTasksModule without McpModule, its parts injected', [McpTasksModule.forRoot()], [ReadsTasks], WRITE_SERVER],
    ['McpTasksModule without McpModule, with a store of its own', [McpTasksModule.forRoot(), redis], [], WRITE_SERVER],
    ['McpTasksModule without forRoot', [server, McpTasksModule], [], WRITE_TASKS],
    ['McpTasksRedisModule without McpTasksModule', [server, redis], [], WRITE_TASKS],
    ['McpTasksRedisModule alone', [redis], [], WRITE_SERVER],
  ])('%s', async (...[, imports, providers, written]) => {
    const fault = await faultOf(imports, providers);
    expect(fault).toMatch(written);
    expect(fault).not.toMatch(/Nest can't resolve|does not exist in the current context/);
  });

  it('a feature module may name the class again', async () => {
    @Module({ imports: [McpModule, McpTasksModule], providers: [Tools, Registers, ReadsTasks] })
    class FeatureModule {}
    expect(await faultOf([server, McpTasksModule.forRoot(), FeatureModule])).toBe('no fault');
  });
});
