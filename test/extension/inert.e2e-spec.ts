import { McpArg, McpContext, McpTool, McpToolError, type McpToolContext } from '@mocapi/core';
import { Injectable, UseGuards, type Type } from '@nestjs/common';
import { startBareServer, type BareAnswer, type BareRequest, type BareServer } from './bare-server.js';

const TASKS = 'io.modelcontextprotocol/tasks';

/** The same tools each time they are asked for; `task` is put on every method. */
function toolsWith(task: MethodDecorator): Type {
  @Injectable()
  class Tools {
    @McpTool({ description: 'Adds', annotations: { readOnlyHint: true } })
    @task
    add(@McpArg('a', { schema: 'number' }) a: number, @McpArg('b', { schema: 'number', default: 1 }) b: number): object {
      return { sum: a + b };
    }

    @McpTool({ description: 'Asks' })
    @task
    async ask(@McpContext() ctx: McpToolContext): Promise<string> {
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
      return (await ctx.elicit('name', { message: 'Who?', schema })).action;
    }

    @McpTool({ description: 'Reports' })
    @task
    async report(@McpContext() ctx: McpToolContext): Promise<string> {
      ctx.progress(1, 2, 'half');
      await ctx.becomeTask();
      return ctx.step('done', () => 'done');
    }

    @McpTool({ description: 'Breaks' })
    @task
    broken(): never {
      throw new Error('secret');
    }

    @McpTool({ description: 'Fails' })
    @task
    failing(): never {
      throw new McpToolError('no');
    }

    @McpTool({ description: 'Is guarded' })
    @task
    @UseGuards({ canActivate: () => false })
    guarded(): string {
      return 'in';
    }
  }
  return Tools;
}

const call = (name: string, args: object = {}, more: object = {}): BareRequest => ({
  method: 'tools/call',
  params: { name, arguments: args, ...more },
  capabilities: { elicitation: {} },
});

const taskId = 'A'.repeat(43);
const DISCOVER: BareRequest[] = [{ method: 'server/discover' }];
const TASK_METHODS: BareRequest[] = ['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/list', 'tasks/result'].map((method) => ({
  method,
  params: { taskId },
}));
const EVERYTHING_ELSE: BareRequest[] = [
  { method: 'tools/list' },
  { method: 'tools/list', params: { cursor: 'nonsense' } },
  call('add', { a: 1 }),
  call('add', { a: 'x' }),
  call('add', { a: 1 }, { task: { ttl: 1000 } }),
  call('add', { a: 1 }, { inputResponses: {}, requestState: 'forged' }),
  call('ask'),
  { ...call('ask'), capabilities: {} },
  call('ask', {}, { inputResponses: { name: { action: 'accept', content: { name: 'Ada' } } } }),
  call('report', {}, { _meta: metaWith({ progressToken: 7 }) }),
  call('report'),
  call('broken'),
  call('failing'),
  call('guarded'),
  call('nope'),
  { method: 'tools/call', params: {} },
  { method: 'tools/call', params: { name: 'add', arguments: [] } },
  { method: 'nope/nope' },
  { method: 'tools/list', headers: { 'mcp-method': 'tools/call' } },
  { method: 'tools/list', headers: { 'mcp-protocol-version': '2025-11-25' } },
  { method: 'tools/list', params: { _meta: {} } },
];

/** The tool that a request calls, if it calls one. */
function nameIn({ params }: BareRequest): unknown {
  return params && 'name' in params ? params.name : undefined;
}

function metaWith(more: object): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    ...more,
  };
}

async function answersOf(server: BareServer, requests: readonly BareRequest[]): Promise<[BareRequest, BareAnswer][]> {
  const answers: [BareRequest, BareAnswer][] = [];
  for (const request of requests) answers.push([request, await server.send(request)]);
  return answers;
}

describe('a server with the core alone', () => {
  let server: BareServer;
  let answers: [BareRequest, BareAnswer][];
  const requests = [...DISCOVER, ...TASK_METHODS, ...EVERYTHING_ELSE];
  const untouched: MethodDecorator = () => undefined;

  beforeAll(async () => {
    server = await startBareServer({ providers: [toolsWith(untouched)] });
    answers = await answersOf(server, requests);
  });

  afterAll(() => server.close());

  const answerTo = (method: string): BareAnswer => answers.find(([request]) => request.method === method)![1];

  it('knows nothing of tasks: not in discover, nor as methods, nor in a parameter of 2025', async () => {
    expect((JSON.parse(answerTo('server/discover').body) as { result: { capabilities: object } }).result.capabilities).toEqual({
      tools: { listChanged: true },
    });
    for (const { method } of TASK_METHODS) {
      expect([answerTo(method).status, JSON.parse(answerTo(method).body)]).toEqual([
        404,
        { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
      ]);
    }
    const [plain, with2025] = [await server.send(call('add', { a: 1 })), await server.send(call('add', { a: 1 }, { task: { ttl: 1000 } }))];
    expect(with2025).toEqual(plain);
    const capable = { ...call('add', { a: 1 }), capabilities: { elicitation: {}, extensions: { [TASKS]: {} } } };
    expect(await server.send(capable)).toEqual(plain);
  });

  it('goes on where a body asks to become a task', () => {
    const [, { body }] = answers.find(([request]) => nameIn(request) === 'report')!;
    expect(body).toContain('"progress":1');
    expect(body).toContain('"text":"done"');
  });

  it('answers with the same bytes once the Tasks package was loaded into the process and its decorators used elsewhere', async () => {
    const { McpTask } = await import('@mocapi/tasks');
    toolsWith(McpTask());
    const second = await startBareServer({ providers: [toolsWith(untouched)] });
    expect(await answersOf(second, requests)).toEqual(answers);
    await second.close();
  });

  it('answers with the same bytes as a server with tasks does to a client that declares nothing', async () => {
    const { McpTask, McpTasksModule } = await import('@mocapi/tasks');
    const withTasks = await startBareServer({ imports: [McpTasksModule.forRoot()], providers: [toolsWith(McpTask())] });
    expect(await answersOf(withTasks, EVERYTHING_ELSE)).toEqual(answers.slice(DISCOVER.length + TASK_METHODS.length));
    // It differs where it must.
    const discovered = JSON.parse((await withTasks.send(DISCOVER[0]!)).body) as { result: { capabilities: object } };
    const before = JSON.parse(answerTo('server/discover').body) as { result: { capabilities: object } };
    expect(discovered.result.capabilities).toEqual({ tools: { listChanged: true }, extensions: { [TASKS]: {} } });
    expect({ ...discovered.result, capabilities: {} }).toEqual({ ...before.result, capabilities: {} });
    expect((await withTasks.send(TASK_METHODS[0]!)).body).toContain('-32021');
    await withTasks.close();
  });
});
