import { McpContext, McpModule, McpPrincipalSource, McpTool, type McpToolContext } from '@mocapi/core';
import { Clock, InMemoryTaskStore, McpTask, McpTasksModule, TaskStore } from '@mocapi/tasks';
import { answerInput, createMcpTestingApp, pollTask, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { ask, yes } from './support/questions.js';
import { HeaderPrincipalSource, startTask } from './support/tasks-app.js';

@Injectable()
class PublicTools {
  @McpTool({ description: 'x' }) @McpTask() work(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx, 'q').then(() => 'public work');
  }
}

@Injectable()
class AdminTools {
  @McpTool({ description: 'of the same name' }) @McpTask() work(@McpContext() ctx: McpToolContext): Promise<string> {
    return ask(ctx, 'q').then(() => 'admin work');
  }
}

const PATHS = { root: '/mcp', admin: '/admin/mcp' } as const;

/** The same callers at both endpoints, and one store behind both of them. */
async function start(adminTasks: readonly ReturnType<typeof McpTasksModule.forRoot>[]): Promise<McpTestingApp> {
  return createMcpTestingApp({
    imports: [
      McpModule.forRoot({ endpoint: 'admin', name: 'admin', version: '2', path: PATHS.admin }),
      McpModule.forFeature({ endpoint: 'admin', providers: [AdminTools] }),
      McpTasksModule.forRoot({ providers: [oneStore] }),
      ...adminTasks,
    ],
    providers: [PublicTools],
    options: { providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipalSource }] },
  });
}

let store: InMemoryTaskStore | undefined;
const oneStore = {
  provide: TaskStore,
  inject: [Clock],
  useFactory: (clock: Clock) => (store ??= new InMemoryTaskStore(clock, { maxRecords: 100 })),
};

let testing: McpTestingApp | undefined;
afterEach(async () => {
  await testing?.close();
  testing = store = undefined;
});

const at = (endpoint: keyof typeof PATHS, user = 'ann'): McpTestClient =>
  testing!.client({ path: PATHS[endpoint], headers: { 'x-user': user } }).withTasks();

describe('tasks of two endpoints behind one store', () => {
  beforeEach(async () => {
    testing = await start([McpTasksModule.forRoot({ endpoint: 'admin', providers: [oneStore] })]);
  });

  it.each([
    ['root', 'public work'],
    ['admin', 'admin work'],
  ] as const)('run the tool of their own endpoint, before and after the answer: %s', async (endpoint, expected) => {
    const taskId = await startTask(at(endpoint), 'work');
    expect(await pollTask(at(endpoint), taskId)).toMatchObject({ status: 'input_required' });
    await answerInput(at(endpoint), { taskId }, yes('q'));
    expect(await pollTask(at(endpoint), taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: expected }] } });
  });

  it.each([
    ['root', 'admin'],
    ['admin', 'root'],
  ] as const)('are unknown at the other, even to their owner: of %s at %s', async (own, other) => {
    const taskId = await startTask(at(own), 'work');
    await pollTask(at(own), taskId);
    const unknown = { code: -32602, message: 'Unknown task' };
    for (const method of ['tasks/get', 'tasks/cancel']) expect((await at(other).request(method, { taskId })).error).toEqual(unknown);
    expect((await answerInput(at(other), { taskId }, yes('q'))).error).toEqual(unknown);
    expect(await pollTask(at(own), taskId)).toMatchObject({ status: 'input_required' });
  });

  it('are watched at their own endpoint alone', async () => {
    const taskId = await startTask(at('admin'), 'work');
    const [own, other] = [await at('admin').listen({ taskIds: [taskId] }), await at('root').listen({ taskIds: [taskId] })];
    expect((await own.acknowledged()).taskIds).toEqual([taskId]);
    expect((await other.acknowledged()).taskIds ?? []).toEqual([]);
    await Promise.all([own.close(), other.close()]);
  });

  it('still belong to their callers', async () => {
    const taskId = await startTask(at('admin'), 'work');
    expect((await at('admin', 'bob').request('tasks/get', { taskId })).error).toMatchObject({ message: 'Unknown task' });
  });
});

describe('an endpoint without tasks beside one that has them', () => {
  it('fails the boot when one of its tools is marked @McpTask', async () => {
    await expect(start([])).rejects.toThrow(/AdminTools.work: no imported module handles @McpTask/);
  });
});
