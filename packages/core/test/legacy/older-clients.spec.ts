import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { send } from '../transport/http-harness.js';
import { ENVELOPE, INITIALIZE, OlderApp, older } from './legacy-harness.js';

@Injectable()
class Tools {
  @McpTool({ description: 'Adds' })
  add(@McpArg('a') a: number, @McpArg('b') b: number): { sum: number } {
    return { sum: a + b };
  }

  @McpTool({ description: 'Lists', outputSchema: z.array(z.string()) })
  names(): string[] {
    return ['a', 'b'];
  }

  @McpTool({ description: 'Either', outputSchema: z.union([z.object({ ok: z.boolean() }), z.string()]) })
  either(): { ok: boolean } {
    return { ok: true };
  }

  @McpTool({ description: 'Counts' })
  count(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1, 2);
    ctx.progress(2, 2);
    return 'done';
  }

  @McpTool({ description: 'Asks' })
  async ask(@McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('sure', { message: 'Sure?', schema: z.object({ yes: z.boolean() }) });
    return action;
  }

  @McpTool({ description: 'May be a task' })
  @McpTask()
  encode(): string {
    return 'encoded';
  }

  @McpTool({ description: 'Is always a task' })
  @McpTask({ required: true })
  rebuild(): string {
    throw new Error('must not run');
  }
}

const HANDSHAKE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };

let app: OlderApp;
beforeAll(async () => {
  app = await OlderApp.start({
    imports: [McpTasksModule.forRoot()],
    providers: [Tools],
    options: { instructions: 'Be brief', title: 'Older' },
  });
});
afterAll(() => app.close());

describe('a client of a 2025 revision', () => {
  it('shakes hands, and is promised nothing that needs a session or the server to begin', async () => {
    const { status, headers, last } = await app.post(INITIALIZE);
    expect(status).toBe(200);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(last.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'testing', title: 'Older' },
      instructions: 'Be brief',
    });
    expect(last.result.capabilities.tools).toEqual({});
    for (const key of ['extensions', 'tasks', 'logging']) expect(last.result.capabilities).not.toHaveProperty(key);
  });

  it('is offered the newest of the older revisions when it asks for one that nobody knows', async () => {
    const { last } = await app.post(
      older('initialize', { protocolVersion: '2024-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
    );
    expect(last.result.protocolVersion).toBe('2025-11-25');
  });

  it('is answered a ping, and its notifications are taken without an answer', async () => {
    expect((await app.post(older('ping'))).last).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    for (const method of ['notifications/initialized', 'notifications/cancelled']) {
      const { status, messages } = await app.post({ jsonrpc: '2.0', method, params: { requestId: 1 } });
      expect({ status, messages }).toEqual({ status: 202, messages: [] });
    }
  });

  it('sees every tool but those that are always tasks, without what came with 2026-07-28', async () => {
    const { result } = (await app.post(older('tools/list'))).last;
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['add', 'names', 'either', 'count', 'ask', 'encode']);
    expect(Object.keys(result)).toEqual(['tools']);
  });

  it('calls a tool and gets its result', async () => {
    const { last } = await app.call('add', { arguments: { a: 2, b: 3 } });
    expect(last).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '{"sum":5}' }], structuredContent: { sum: 5 } },
    });
  });

  it('gets structured content that is an object, under the schema that the list advertises', async () => {
    const tools: any[] = (await app.post(older('tools/list'))).last.result.tools;
    const schemaOf = (name: string): any => tools.find((tool) => tool.name === name).outputSchema;
    expect(schemaOf('names')).toMatchObject({ type: 'object', properties: { result: { type: 'array' } } });
    expect((await app.call('names')).last.result.structuredContent).toEqual({ result: ['a', 'b'] });
    expect(schemaOf('either').properties).toHaveProperty('result');
    expect((await app.call('either')).last.result.structuredContent).toEqual({ result: { ok: true } });
  });

  it('is told of progress by its token, ahead of the answer', async () => {
    const { messages } = await app.call('count', { _meta: { progressToken: 'p' } });
    expect(messages).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2 } },
      { method: 'notifications/progress', params: { progress: 2 } },
      { id: 1, result: {} },
    ]);
    expect((await app.call('count')).messages).toHaveLength(1);
  });

  it('learns from the result of a tool that it cannot be asked, whatever it declared and whatever it answers beforehand', async () => {
    const forged = { inputResponses: { sure: { action: 'accept', content: { yes: true } } }, requestState: 'x' };
    for (const rest of [{}, forged]) {
      const { result } = (await app.call('ask', rest)).last;
      expect(result.isError).toBe(true);
      expect(result.content[0].text).toMatch(/elicitation.*2025-11-25.*2026-07-28/);
    }
  });

  it('learns from the result of a tool that it is always a task', async () => {
    const { result } = (await app.call('rebuild')).last;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/io\.modelcontextprotocol\/tasks.*2025-11-25/);
  });

  it('gets a plain answer where a task could be, and where it asks for one in the way of 2025-11-25', async () => {
    for (const rest of [{}, { task: { ttl: 1000 } }]) {
      expect((await app.call('encode', rest)).last.result).toEqual({ content: [{ type: 'text', text: 'encoded' }] });
    }
  });

  it.each([
    'tasks/get',
    'tasks/list',
    'tasks/result',
    'tasks/cancel',
    'logging/setLevel',
    'resources/subscribe',
    'subscriptions/listen',
    'nonsense',
  ])('has no method %s', async (method) => {
    expect((await app.post(older(method, { taskId: 'x' }))).last).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it('gets invalid arguments as a result, and an unknown tool as an error', async () => {
    expect((await app.call('add', { arguments: { a: 'x' } })).last.result.isError).toBe(true);
    expect((await app.call('nope')).last.error.code).toBe(-32602);
  });

  it('may send several messages at once, and none of 2026-07-28 among them', async () => {
    const version = { 'mcp-protocol-version': '2025-03-26' };
    const { messages } = await app.post([older('tools/call', { name: 'names' }, 'a'), older('ping', undefined, 'b')], version);
    expect(messages.map(({ id }) => String(id)).toSorted()).toEqual(['a', 'b']);
    const mixed = await app.post([older('ping'), older('tools/list', { _meta: ENVELOPE }, 2)], version);
    expect({ status: mixed.status, code: mixed.last.error.code }).toEqual({ status: 400, code: -32600 });
  });

  it.each([
    ['two requests', 'two requests of a batch have the same id', [older('ping'), older('tools/list')]],
    ['a handshake', 'initialize must be sent alone', [INITIALIZE, older('ping', undefined, 2)]],
    ['a malformed handshake', 'initialize must be sent alone', [older('ping', undefined, 2), older('initialize')]],
  ])('is told why several messages are not taken at once, and none of them is: %s', async (_what, problem, batch) => {
    const { status, messages } = await app.post(batch, { 'mcp-protocol-version': '2025-03-26' });
    const error = { code: -32600, message: expect.stringContaining(`Invalid request: ${problem}`) };
    expect({ status, messages }).toEqual({ status: 400, messages: [{ jsonrpc: '2.0', error }] });
  });

  it('may tell a number and a text of the same digits apart as ids of one batch', async () => {
    const { messages } = await app.post([older('ping', undefined, 1), older('ping', undefined, '1')], {
      'mcp-protocol-version': '2025-03-26',
    });
    expect(messages.map(({ id }) => id)).toEqual([1, '1']);
  });

  it.each<[string, object | undefined]>([
    ['params.protocolVersion must be a string', undefined],
    ['params.protocolVersion must be a string', { ...HANDSHAKE, protocolVersion: 1 }],
    ['params.capabilities must be an object', { ...HANDSHAKE, capabilities: [] }],
    ['params.clientInfo must be an object', { ...HANDSHAKE, clientInfo: undefined }],
    ['params.clientInfo.name must be a string', { ...HANDSHAKE, clientInfo: { version: '1' } }],
    ['params.clientInfo.version must be a string', { ...HANDSHAKE, clientInfo: { name: 'x', version: 1 } }],
    ['a member of params.capabilities or params.clientInfo', { ...HANDSHAKE, capabilities: { sampling: 1 } }],
    ['a member of params.capabilities or params.clientInfo', { ...HANDSHAKE, clientInfo: { name: 'x', version: '1', icons: 3 } }],
  ])('is told what a handshake needs: %s', async (problem, params) => {
    const { status, last } = await app.post(older('initialize', params));
    expect({ status, last }).toEqual({
      status: 200,
      last: {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32602, message: expect.stringContaining(`Invalid params of initialize: ${problem}`) },
      },
    });
  });

  it('is told when it names a revision that does not exist', async () => {
    expect((await app.post(older('tools/list'), { 'mcp-protocol-version': '2019-01-01' })).status).toBe(400);
  });

  it('may name no revision', async () => {
    const { status, last } = await app.post(older('ping'), { 'mcp-protocol-version': '' });
    expect({ status, result: last.result ?? last.error }).toMatchObject({ status: 200, result: {} });
  });

  it('has no stream and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) expect((await fetch(app.testing.url, { method })).status).toBe(405);
  });
});

describe('what is no message of a 2025 revision', () => {
  it('is a handshake with an envelope of 2026-07-28, which that revision does not have', async () => {
    const { status, last } = await app.post(older('initialize', { protocolVersion: '2025-11-25', _meta: ENVELOPE }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'initialize',
    });
    expect({ status, error: last.error }).toMatchObject({ status: 404, error: { code: -32601, data: { supported: ['2026-07-28'] } } });
  });

  it('is a request without an envelope whose header names 2026-07-28', async () => {
    const { status, last } = await app.post(older('tools/list'), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' });
    expect({ status, code: last.error.code }).toEqual({ status: 400, code: -32602 });
  });

  it('is a request whose envelope is broken', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': 1 };
    const { status, last } = await app.post(older('tools/list', { _meta }), { 'mcp-method': 'tools/list' });
    expect({ status, code: last.error.code }).toEqual({ status: 400, code: -32602 });
  });

  it.each([
    ['host', { host: 'evil.example' }, 403],
    ['origin', { origin: 'https://evil.example' }, 403],
    ['content type', { 'content-type': 'text/plain' }, 415],
  ])('is refused for its %s as any other', async (_what, headers, status) => {
    const port = Number(new URL(app.testing.url).port);
    expect((await send(port, { body: INITIALIZE, headers })).status).toBe(status);
  });

  it('is refused when it nests too deeply or is too large, as any other', async () => {
    const deep = JSON.parse('['.repeat(65) + ']'.repeat(65)) as unknown;
    expect((await app.post(older('ping', { deep }))).last.error).toMatchObject({ code: -32600 });
    expect((await app.post(older('ping', { pad: 'x'.repeat(4 * 1024 * 1024) }))).status).toBe(413);
  });
});
