import { McpContext, McpExecution, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, TASKS_EXTENSION } from '@mocapi/tasks';
import { answerInput, pollTask } from '@mocapi/testing';
import { Injectable, UseGuards, UseInterceptors, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

/** What guards and interceptors read from their context, in the order they ran. */
let seen: unknown[][];

function view(context: ExecutionContext): unknown[] {
  const { mode, trigger, mayBecomeTask, handler } = McpExecution.of(context);
  return [mode, trigger, mayBecomeTask, handler.name, context.getHandler().name, context.getClass().name];
}

const noting: CanActivate & NestInterceptor = {
  canActivate: (context) => seen.push(['guard', ...view(context)]) > 0,
  intercept: (context, next) => {
    seen.push(['interceptor', ...view(context)]);
    return next.handle();
  },
};

@Injectable()
class Tools {
  @McpTool({ description: 'Answers' })
  @McpTask({ ttl: 'PT2H', pollInterval: 700 })
  quick(@McpContext() ctx: McpToolContext): object {
    ctx.progress(1, 2, 'half');
    return { sum: 3 };
  }

  @McpTool({ description: 'Asks' })
  @McpTask()
  @UseGuards(noting)
  @UseInterceptors(noting)
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ask(ctx, 'sure')).action;
  }

  @McpTool({ description: 'No task' })
  @UseGuards(noting)
  plainTool(): string {
    return 'plain';
  }

  @McpTool({ description: 'For clients that can poll' })
  @McpTask({ required: true })
  pollersOnly(): string {
    return 'done';
  }
}

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools] });
});

beforeEach(() => {
  seen = [];
});

afterAll(() => app.close());

describe('a call of a task tool by a client that can poll', () => {
  it('is answered by the task: flat, with the type of a task and nothing of its outcome', async () => {
    const { status, result } = await app.capable().callTool('quick');
    expect(status).toBe(200);
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      status: 'working',
      createdAt: new Date(app.clock.now()).toISOString(),
      lastUpdatedAt: new Date(app.clock.now()).toISOString(),
      ttlMs: 7_200_000,
      pollIntervalMs: 700,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'testing', version: '1.0.0' } },
    });
  });

  it('can be read at once, and completes with what the call would have answered', async () => {
    const client = app.capable();
    for (let round = 0; round < 20; round++) {
      const { result } = await client.callTool('quick');
      const read = await app.capable().request('tasks/get', { taskId: result!.taskId! });
      expect(read.result?.taskId).toBe(result?.taskId);
    }
    const task = await pollTask(client, await startTask(client, 'quick'));
    const sync = await app.plain().callTool('quick');
    const { _meta, ...result } = sync.result!;
    expect(task).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      ttlMs: 7_200_000,
      pollIntervalMs: 700,
      statusMessage: '1/2: half',
    });
    expect(task.status === 'completed' && task.result).toEqual({ ...result, resultType: 'complete' });
    expect(task).not.toHaveProperty('requestState');
  });

  it('takes the ttl and poll interval of the module where the tool says none', async () => {
    const { result } = await app.capable().callTool('asking');
    expect(result).toMatchObject({ ttlMs: 3_600_000, pollIntervalMs: 2000 });
    expect(result).not.toHaveProperty('inputRequests');
    expect(result).not.toHaveProperty('requestState');
  });

  it('ignores a 2025 `task` parameter, on both kinds of client', async () => {
    const params = { name: 'quick', arguments: {}, task: { ttl: 60_000 } };
    expect((await app.capable().request('tools/call', params)).result).toMatchObject({ resultType: 'task', ttlMs: 7_200_000 });
    expect((await app.plain().request('tools/call', params)).result).toMatchObject({ resultType: 'complete' });
  });

  it.each([
    ['with settings', { anything: [1] }, 'task'],
    ['with true', true, 'complete'],
    ['with null', null, 'complete'],
    ['with a list', [], 'complete'],
  ])('is a task if the extension is declared as an object: %s', async (_how, value, resultType) => {
    const capabilities = { extensions: { [TASKS_EXTENSION]: value } } as never;
    expect((await app.plain().callTool('quick', {}, { capabilities })).result).toMatchObject({ resultType });
  });
});

describe('the same call by a client that can not', () => {
  it('is answered by the result, with progress on its stream, and stores nothing', async () => {
    const before = app.store.size;
    const reply = await app.plain().callTool('quick', {}, { meta: { progressToken: 'p' } });
    expect(reply.result).toMatchObject({ resultType: 'complete', structuredContent: { sum: 3 } });
    expect(reply.notifications).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2, message: 'half' } },
    ]);
    expect(app.store.size).toBe(before);
  });

  it('asks on the wire', async () => {
    const client = app.plain();
    const asked = await client.callTool('asking');
    expect(asked.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const answered = await answerInput(client, asked, yes('sure'));
    expect(answered.result).toMatchObject({ resultType: 'complete', content: [{ text: 'accept' }] });
  });
});

describe('a tool that is for pollers alone', () => {
  it('refuses another client by the code, data and HTTP status of a missing capability, before its arguments are looked at', async () => {
    const { status, error } = await app.plain().callTool('pollersOnly', { unknown: 1 });
    expect([status, error?.code]).toEqual([400, -32021]);
    expect(error?.data).toEqual({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
  });

  it('is a task for those who can', async () => {
    const client = app.capable();
    expect(await pollTask(client, await startTask(client, 'pollersOnly'))).toMatchObject({ status: 'completed' });
  });
});

describe('McpExecution.of(context) in guards and interceptors', () => {
  it('tells a call that may become a task, and the execution that an answer brought about', async () => {
    const client = app.capable();
    const taskId = await startTask(client, 'asking');
    await pollTask(client, taskId);
    await answerInput(client, { taskId }, yes('sure'));
    await pollTask(client, taskId);
    expect(seen).toEqual([
      ['guard', 'sync', 'call', true, 'asking', 'asking', 'Tools'],
      ['interceptor', 'sync', 'call', true, 'asking', 'asking', 'Tools'],
      ['guard', 'task', 'update', true, 'asking', 'asking', 'Tools'],
      ['interceptor', 'task', 'update', true, 'asking', 'asking', 'Tools'],
    ]);
  });

  it('tells a call that stays synchronous', async () => {
    await app.plain().callTool('asking');
    await app.capable().callTool('plainTool');
    expect(seen).toEqual([
      ['guard', 'sync', 'call', false, 'asking', 'asking', 'Tools'],
      ['interceptor', 'sync', 'call', false, 'asking', 'asking', 'Tools'],
      ['guard', 'sync', 'call', false, 'plainTool', 'plainTool', 'Tools'],
    ]);
  });
});
