import { McpArgs, McpContext, McpTool, type JsonObject, type McpToolContext, type SampleParams } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { accept, pollTask, type McpReply, type McpTestClient } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { turns } from './support/flow.js';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

const QUESTION: SampleParams = { messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 10 };
const OPTIONAL = { message: 'Anything?', schema: z.object({ note: z.string().optional(), size: z.string().default('m') }) };

let executions: number;

@Injectable()
class Tools {
  @McpTool({ description: 'Asks everything at once' })
  @McpTask()
  async all(@McpContext() ctx: McpToolContext) {
    executions += 1;
    const [form, page, said, roots] = await Promise.all([
      ctx.elicit('form', OPTIONAL),
      ctx.elicitUrl('page', { message: 'Open', url: 'https://a.example/x' }),
      ctx.sample('said', QUESTION),
      ctx.listRoots('dirs'),
    ]);
    return { form, page, said, roots };
  }

  @McpTool({ description: 'Asks one kind of thing' })
  @McpTask()
  async one(@McpArgs({ schema: { type: 'object' } }) { kind }: JsonObject, @McpContext() ctx: McpToolContext) {
    if (kind === 'page') return ctx.elicitUrl('page', { message: 'Open', url: 'https://a.example/x' });
    if (kind === 'tools') return ctx.sample('said', { ...QUESTION, tools: [{ name: 't', inputSchema: { type: 'object' } }] });
    return kind === 'model' ? ctx.sample('said', QUESTION) : ctx.listRoots('dirs');
  }

  @McpTool({ description: 'Asks the model something else in each execution' })
  @McpTask()
  async fickle(@McpContext() ctx: McpToolContext) {
    executions += 1;
    const said = await ctx.sample('said', { ...QUESTION, temperature: executions }).catch(() => 'caught');
    return said === 'caught' ? said : 'answered';
  }

  @McpTool({ description: 'Swallows every refusal, for ever' })
  @McpTask()
  async stubborn(@McpContext() ctx: McpToolContext) {
    for (;;) await ctx.listRoots().catch(() => undefined);
  }

  @McpTool({ description: 'Logs before and after it becomes a task' })
  @McpTask({ admission: 'manual' })
  async logs(@McpContext() ctx: McpToolContext) {
    ctx.log('error', 'in the request');
    await ctx.becomeTask();
    ctx.log('error', 'in the task');
    return 'done';
  }

  @McpTool({
    description: 'Is routed by a header; only as a task',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  })
  @McpTask({ required: true })
  async routed(@McpArgs() args: JsonObject) {
    executions += 1;
    return args;
  }
}

const EVERYTHING: JsonObject = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const SAID = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };
const ROOTS = [{ uri: 'file:///home' }];

let app: TasksApp;
beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools], server: { logging: true } });
});
beforeEach(() => {
  executions = 0;
});
afterAll(() => app.close());

const clientWith = (capabilities: JsonObject): McpTestClient => app.testing.client({ capabilities }).withTasks();

async function start(client: McpTestClient, tool: string, args: JsonObject = {}): Promise<string> {
  const { result, raw } = await client.callTool(tool, args);
  if (result?.resultType !== 'task') throw new Error(`The call became no task: ${raw}`);
  return result.taskId!;
}

function update(taskId: string, inputResponses: JsonObject, client = clientWith(EVERYTHING)): Promise<McpReply> {
  return client.request('tasks/update', { taskId, inputResponses });
}

describe('a task that asks several kinds of thing', () => {
  it('shows all of them, takes the answers of each kind as they come, and goes on once with the last', async () => {
    const client = clientWith(EVERYTHING);
    const taskId = await start(client, 'all');
    const asked = await pollTask(client, taskId);
    expect(asked.status === 'input_required' && asked.inputRequests).toMatchObject({
      form: { method: 'elicitation/create', params: { mode: 'form' } },
      page: { method: 'elicitation/create', params: { mode: 'url', message: 'Open', url: 'https://a.example/x' } },
      said: { method: 'sampling/createMessage', params: QUESTION },
      dirs: { method: 'roots/list' },
    });
    await update(taskId, { said: SAID, dirs: SAID, page: { action: 'maybe' } });
    await update(taskId, { dirs: { roots: ROOTS }, form: { action: 'accept' }, said: { ...SAID, model: 'another' } });
    await turns(5);
    const left = await pollTask(client, taskId);
    expect(left.status === 'input_required' && Object.keys(left.inputRequests)).toEqual(['page']);
    expect(executions).toBe(1);
    await update(taskId, { page: { action: 'accept', content: { secret: 1 } } });
    expect(await pollTask(client, taskId)).toMatchObject({
      status: 'completed',
      result: {
        structuredContent: { form: { action: 'accept', content: { size: 'm' } }, page: { action: 'accept' }, said: SAID, roots: ROOTS },
      },
    });
    expect(executions).toBe(2);
  });

  it.each<[string, JsonObject]>([
    ['page', { page: SAID }],
    ['model', { said: accept() }],
    ['roots', { dirs: { roots: [{ uri: 'https://a.example' }] } }],
  ])('leaves the question open when its answer is of another kind: %s', async (kind, responses) => {
    const client = clientWith(EVERYTHING);
    const taskId = await start(client, 'one', { kind });
    await pollTask(client, taskId);
    await update(taskId, responses);
    expect(await pollTask(client, taskId)).toMatchObject({ status: 'input_required' });
  });

  it('fails with -32602 when what it asks the model changes between its executions', async () => {
    const client = clientWith(EVERYTHING);
    const taskId = await start(client, 'fickle');
    await pollTask(client, taskId);
    await update(taskId, { said: SAID });
    expect(await pollTask(client, taskId)).toMatchObject({ status: 'failed', error: { code: -32602 } });
  });
});

describe('a task of a client that did not declare what it asks', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['model', { elicitation: {}, roots: {} }, { sampling: {} }],
    ['tools', { sampling: {} }, { sampling: { tools: {} } }],
    ['roots', { sampling: {} }, { roots: {} }],
  ])('fails with -32021 that names exactly that: %s', async (kind, capabilities, requiredCapabilities) => {
    const client = clientWith(capabilities);
    const task = await pollTask(client, await start(client, 'one', { kind }));
    expect(task).toMatchObject({ status: 'failed', error: { code: -32021, data: { requiredCapabilities } } });
  });

  it('goes by the request that created it, not by the one that answers', async () => {
    const client = clientWith(EVERYTHING);
    const taskId = await start(client, 'all');
    await pollTask(client, taskId);
    const responses = { form: { action: 'decline' }, page: { action: 'decline' }, said: SAID, dirs: { roots: [] } };
    await update(taskId, responses, clientWith({}));
    expect(await pollTask(client, taskId)).toMatchObject({ status: 'completed' });
  });

  it('fails, though its body swallows every refusal for ever', async () => {
    const client = clientWith({});
    expect(await pollTask(client, await start(client, 'stubborn'))).toMatchObject({ status: 'failed', error: { code: -32021 } });
  });
});

describe('a tool that logs and becomes a task', () => {
  it('logs to its request as long as it is no task, and nowhere afterwards', async () => {
    const client = clientWith({});
    const reply = await client.callTool('logs', {}, { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } });
    expect(reply.notifications.map(({ params }) => params)).toEqual([{ level: 'error', data: 'in the request' }]);
    expect(await pollTask(client, reply.result!.taskId!)).toMatchObject({ status: 'completed' });
  });
});

describe('a tool that is routed by a header, and only a task', () => {
  const args = { region: 'eu' };

  it('is refused for the extension first, then for the header, and no task is stored', async () => {
    const before = app.store.count('create');
    expect((await app.testing.client().callTool('routed', args)).error?.code).toBe(-32021);
    const reply = await clientWith({}).callTool('routed', args);
    expect([reply.status, reply.error?.code]).toEqual([400, -32020]);
    expect([app.store.count('create'), executions]).toEqual([before, 0]);
  });

  it('becomes a task when the header agrees', async () => {
    const client = clientWith({});
    const reply = await client.callTool('routed', args, { headers: { 'mcp-param-region': 'eu' } });
    expect(await pollTask(client, reply.result!.taskId!)).toMatchObject({ status: 'completed', result: { structuredContent: args } });
  });
});
