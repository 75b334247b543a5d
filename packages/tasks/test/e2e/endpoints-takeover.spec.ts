import { McpContext, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule, SystemClock, InMemoryTaskStore, TaskStore } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Injectable, type Type } from '@nestjs/common';
import { jest } from '@jest/globals';
import { until } from './support/flow.js';

/** Bodies of the first node hold until it ends; those of the others end by themselves. */
let holds: boolean;

async function work(ctx: McpToolContext, who: string): Promise<string> {
  if (holds) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
  ctx.signal.throwIfAborted();
  return `done by ${who}`;
}

@Injectable()
class PublicTools {
  @McpTool({ description: 'x' }) @McpTask({ recover: 'replay' }) work(@McpContext() ctx: McpToolContext): Promise<string> {
    return work(ctx, 'public');
  }
}

@Injectable()
class AdminTools {
  @McpTool({ description: 'of the same name' }) @McpTask({ recover: 'replay' }) work(@McpContext() ctx: McpToolContext): Promise<string> {
    return work(ctx, 'admin');
  }
}

const ADMIN = { endpoint: 'admin', name: 'admin', version: '2', path: '/admin/mcp' } as const;
let store: InMemoryTaskStore;
const nodes: McpTestingApp[] = [];

/** A node of an application whose endpoints share one store. */
async function node(adminTools: readonly Type[]): Promise<McpTestingApp> {
  const providers = [{ provide: TaskStore, useValue: store }];
  const tasks = [McpTasksModule.forRoot({ providers }), McpTasksModule.forRoot({ endpoint: 'admin', providers })];
  const admin = [McpModule.forRoot(ADMIN), McpModule.forFeature({ endpoint: 'admin', providers: [...adminTools] })];
  const testing = await createMcpTestingApp({ imports: [...admin, ...tasks], providers: [PublicTools] });
  nodes.push(testing);
  return testing;
}

beforeEach(() => {
  store = new InMemoryTaskStore(new SystemClock());
});
afterEach(async () => {
  for (const testing of nodes.splice(0)) await testing.close();
  jest.restoreAllMocks();
});

it('a task that is taken over is begun by its own endpoint, and never by a tool of the same name at another', async () => {
  holds = true;
  const first = await node([AdminTools]);
  const { result } = await first.client({ path: ADMIN.path }).withTasks().callTool('work');
  holds = false;
  const looked = jest.spyOn(store.runIndex, 'runningOf');
  // The endpoint is there, its tool is not.
  const second = await node([]);
  await first.close();
  await until(() => looked.mock.calls.length > 0, 'it has looked for what the first left');
  const third = await node([AdminTools]);
  const task = await pollTask(third.client({ path: ADMIN.path }).withTasks(), result!.taskId!);
  expect(JSON.stringify(task)).toContain('done by admin');
  expect(second.logs.filter(({ message }) => message.includes('Taken over'))).toEqual([]);
});
