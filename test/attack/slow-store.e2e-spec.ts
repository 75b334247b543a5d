import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import {
  InMemoryTaskStore,
  McpTask,
  McpTasksModule,
  TaskExecutor,
  TaskStore,
  type TaskKey,
  type TaskMutation,
  type TaskRecord,
} from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { deferred, until } from '../support/flow.js';

const QUESTION = { message: 'Sure?', schema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] } };
const ANSWER = { sure: { action: 'accept', content: { sure: true } } };

/** A store across a network: what it has written is there before its reply is, and a reply may get lost. */
class RemoteStore extends InMemoryTaskStore {
  /** What happens to the reply of the next write. */
  next: 'arrives' | 'is late' | 'is lost' = 'arrives';
  /** How many replies got lost. */
  lost = 0;
  /** Settled once the write is there whose reply is late. */
  written = deferred();
  /** What the late reply waits for. */
  reply = deferred();

  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const { next } = this;
    this.next = 'arrives';
    const record = await super.update(key, mutate);
    if (next === 'is late') {
      this.written.resolve();
      await this.reply.promise;
    }
    if (next !== 'is lost') return record;
    this.lost += 1;
    throw new Error('ECONNRESET');
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

let testing: McpTestingApp;

describe('a task whose store is far away', () => {
  const store = new RemoteStore();
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
    await store.written.promise;
    await client.request('tasks/cancel', { taskId });
    store.reply.resolve();
    await update;
    await idle();

    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    expect(tools.charged).toBe(0);
  });

  it('goes on when the reply to its answers was lost and the client sends them again', async () => {
    const taskId = await parked(client);
    store.next = 'is lost';
    await client.request('tasks/update', { taskId, inputResponses: ANSWER });
    expect(store.lost).toBe(1);
    await client.request('tasks/update', { taskId, inputResponses: ANSWER });

    expect(await pollTask(client, taskId)).toMatchObject({ status: 'completed' });
    await idle();
    expect(tools.charged).toBe(1);
  });
});

/** Waits until nothing runs that could still enter the body. */
function idle(): Promise<void> {
  const executor = testing.app.get(TaskExecutor, { strict: false });
  return until(() => executor.load().running + executor.load().queued === 0, 'no attempt runs or waits');
}

async function parked(client: McpTestClient): Promise<string> {
  const { result } = await client.callTool<{ resultType: string; taskId: string }>('charge');
  const { taskId } = result!;
  await pollTask(client, taskId, { until: ({ status }) => status === 'input_required' });
  return taskId;
}
