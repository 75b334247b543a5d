import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { InMemoryTaskStore, McpTask, McpTasksModule, TaskStore, type TaskKey, type TaskMutation, type TaskRecord } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

const QUESTION = { message: 'Sure?', schema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] } };
const ANSWER = { sure: { action: 'accept', content: { sure: true } } };

/** A store across a network: what it has written is there before its reply is, and a reply may get lost. */
class RemoteStore extends InMemoryTaskStore {
  /** What happens to the reply of the next write. */
  next: 'arrives' | 'is late' | 'is lost' = 'arrives';

  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const { next } = this;
    this.next = 'arrives';
    const record = await super.update(key, mutate);
    if (next === 'is late') await pause(100);
    if (next === 'is lost') throw new Error('ECONNRESET');
    return record;
  }
}

@Injectable()
class Tools {
  charged = 0;

  @McpTask()
  @McpTool({ description: 'Charges once it is allowed to' })
  async charge(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('sure', QUESTION);
    await ctx.step('charge', () => {
      this.charged += 1;
    });
    return 'charged';
  }
}

describe('a task whose store is far away', () => {
  const store = new RemoteStore();
  let testing: McpTestingApp;
  let client: McpTestClient;
  let tools: Tools;

  beforeAll(async () => {
    const tasks = McpTasksModule.forRoot({ pollInterval: 20, providers: [{ provide: TaskStore, useValue: store }] });
    testing = await createMcpTestingApp({ imports: [tasks], providers: [Tools] });
    client = testing.client().withTasks();
    tools = testing.app.get(Tools);
  });

  beforeEach(() => (tools.charged = 0));

  afterAll(() => testing.close());

  it('is not entered again when it was cancelled before the reply to its answers arrived', async () => {
    const taskId = await parked(client);
    store.next = 'is late';
    const update = client.request('tasks/update', { taskId, inputResponses: ANSWER });
    await pause(30);
    await client.request('tasks/cancel', { taskId });
    await update;
    await pause(100);

    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    expect(tools.charged).toBe(0);
  });

  it('goes on when the reply to its answers was lost and the client sends them again', async () => {
    const taskId = await parked(client);
    store.next = 'is lost';
    await client.request('tasks/update', { taskId, inputResponses: ANSWER });
    await client.request('tasks/update', { taskId, inputResponses: ANSWER });
    await pause(200);

    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
    expect(tools.charged).toBe(1);
  });
});

async function parked(client: McpTestClient): Promise<string> {
  const { result } = await client.callTool<{ resultType: string; taskId: string }>('charge');
  const { taskId } = result!;
  await pollTask(client, taskId, { until: ({ status }) => status === 'input_required' });
  return taskId;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
