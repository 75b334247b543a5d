import {
  McpArg,
  McpComplete,
  McpContext,
  McpPrompt,
  McpResource,
  McpTool,
  McpToolError,
  toolResult,
  type McpToolContext,
} from '@mocapi/core';
import { McpSeam, type McpDispatchInterceptor, type McpMethod, type McpMethodContributor } from '@mocapi/core/extension';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

let value: (ctx: McpToolContext) => unknown;
let intercept: ((result: never) => unknown) | undefined;

@Injectable()
class Handlers {
  @McpTool({ description: 'Returns' })
  returns(@McpContext() ctx: McpToolContext): unknown {
    return value(ctx);
  }

  @McpTool({ description: 'Returns as a task' })
  @McpTask({ required: true })
  returnsLater(@McpContext() ctx: McpToolContext): unknown {
    return value(ctx);
  }

  @McpPrompt({ description: 'Returns' })
  ask(@McpArg('topic', { schema: { type: 'string' } }) topic: string): unknown {
    return topic;
  }

  @McpPrompt({ description: 'Returns' })
  tells(): unknown {
    return value(undefined as never);
  }

  @McpComplete({ prompt: 'ask', argument: 'topic' })
  complete(): never {
    return value(undefined as never) as never;
  }

  @McpResource({ uri: 'things://1' })
  read(): unknown {
    return value(undefined as never);
  }
}

@Injectable()
@McpSeam('dispatch-interceptor')
class Interceptor implements McpDispatchInterceptor {
  async intercept(_context: never, next: () => Promise<never>): Promise<never> {
    const result = await next();
    return (intercept ? intercept(result) : result) as never;
  }
}

@Injectable()
@McpSeam('method-contributor')
class Extension implements McpMethodContributor {
  methods(): McpMethod[] {
    const notifying: McpMethod = {
      name: 'example.com/notify',
      handle: ({ exchange }) => {
        for (const params of [
          { progressToken: 'p', progress: 'half' },
          { progressToken: 'p', progress: 1 },
        ])
          exchange.notifications.notify({ jsonrpc: '2.0', method: 'notifications/progress', params });
        return Promise.resolve({ resultType: 'complete' });
      },
    };
    return [notifying, { name: 'example.com/any', handle: () => Promise.resolve(value(undefined as never) as never) }];
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [Handlers, Interceptor, Extension] });
});
afterAll(() => testing.close());
beforeEach(() => {
  intercept = undefined;
});

const logged = (from: number): string =>
  testing.logs
    .slice(from)
    .filter(({ level }) => level === 'error')
    .map(({ message, details }) => `${message} ${details}`)
    .join('\n');

const text = { type: 'text', text: 'a' };
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'a://b', name: 'b' };
const INTERNAL = [{ type: 'text', text: expect.stringMatching(/^Internal error \(errorId/) }];
const returning = (returned: unknown) => () => returned;

describe('P-3: nothing that the revision does not allow is sent', () => {
  it.each<[string, unknown]>([
    ['content[0].text', { content: [{ type: 'text' }] }],
    ['content[0].text', { content: [{ type: 'text', text: 5 }] }],
    ['content[0].data', { content: [{ ...image, data: 'not base64!' }] }],
    ['content[0].data', { content: [{ ...image, data: 'AAA' }] }],
    ['content[0].data', { content: [{ ...image, type: 'audio', data: ['x'] }] }],
    ['content[0].mimeType', { content: [{ type: 'image', data: 'AA==' }] }],
    ['content[0].annotations.priority', { content: [{ ...text, annotations: { priority: 2 } }] }],
    ['content[0].annotations.priority', { content: [{ ...text, annotations: { priority: '1' } }] }],
    ['content[0].annotations.audience[0]', { content: [{ ...text, annotations: { audience: ['everybody'] } }] }],
    ['content[0].annotations.audience', { content: [{ ...text, annotations: { audience: 'user' } }] }],
    ['content[0].annotations.lastModified', { content: [{ ...text, annotations: { lastModified: 'yesterday' } }] }],
    ['content[0].annotations', { content: [{ ...text, annotations: 'x' }] }],
    ['content[0]._meta', { content: [{ ...text, _meta: 'x' }] }],
    ['content[0].icons', { content: [{ ...link, icons: 'x' }] }],
    ['content[0].icons[0].src', { content: [{ ...link, icons: [{}] }] }],
    ['content[0].icons[0].theme', { content: [{ ...link, icons: [{ src: 'https://a', theme: 'blue' }] }] }],
    ['content[0].uri', { content: [{ ...link, uri: 5 }] }],
    ['content[0].name', { content: [{ type: 'resource_link', uri: 'a://b' }] }],
    ['content[0].size', { content: [{ ...link, size: '5' }] }],
    ['content[0].resource', { content: [{ type: 'resource', resource: {} }] }],
    ['content[0].resource.uri', { content: [{ type: 'resource', resource: { text: 'x' } }] }],
    ['content[0].resource.blob', { content: [{ type: 'resource', resource: { uri: 'a://b', blob: '?' } }] }],
    ['isError', { content: [text], isError: 'yes' }],
    ['_meta', { content: [text], _meta: 'x' }],
    ['content[0].text', { type: 'text', text: 5 }],
    ['content[1].data', [text, { ...image, data: '?' }]],
    ['content[0].annotations.priority', toolResult({ content: [{ ...text, annotations: { priority: 2 } }] as never })],
  ])('a result of a tool: %s', async (path, returned) => {
    value = returning(returned);
    const from = testing.logs.length;
    const { result } = await testing.client().callTool('returns');
    expect(result).toMatchObject({ isError: true, content: INTERNAL });
    expect(logged(from)).toMatch(/returns/);
    expect(logged(from)).toContain(`result.${path} must be`);
  });

  it('in a task alike', async () => {
    value = returning({ content: [{ type: 'resource', resource: {} }] });
    const client = testing.client().withTasks();
    const created = await client.callTool('returnsLater');
    const task = await pollTask(client, created.result!.taskId!);
    expect(task).toMatchObject({ status: 'completed', result: { isError: true, content: INTERNAL } });
  });

  it('nor what a McpToolError carries', async () => {
    value = () => {
      throw new McpToolError('no', { content: [{ type: 'image', data: '?', mimeType: 'image/png' }] });
    };
    expect((await testing.client().callTool('returns')).result).toMatchObject({ isError: true, content: INTERNAL });
  });

  it.each<[string, unknown]>([
    ['result.description', { messages: [{ role: 'user', content: text }], description: 5 }],
    ['result.messages[0].role', { messages: [{ role: 'system', content: text }] }],
    [
      'result.messages[0].content.annotations.priority',
      { messages: [{ role: 'user', content: { ...text, annotations: { priority: 2 } } }] },
    ],
    ['result.messages[0].content', { role: 'user', content: 'a' }],
    ['result.messages[0].content.data', { ...image, data: '?' }],
  ])('a prompt: %s', async (path, returned) => {
    value = returning(returned);
    const from = testing.logs.length;
    const { error } = await testing.client().request('prompts/get', { name: 'tells' });
    expect(error).toEqual({ code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } });
    expect(logged(from)).toContain(path);
  });

  it.each<[string, unknown]>([
    ['result.contents[0].uri', { uri: 5, text: 'x' }],
    ['result.contents[0].text', { text: 5 }],
    ['result.contents[0].blob', { blob: 'not base64' }],
    ['result.contents[0].mimeType', { text: 'x', mimeType: 5 }],
    ['result.contents[0]._meta', { contents: [{ text: 'x', _meta: 'x' }] }],
  ])('a resource: %s', async (path, returned) => {
    value = returning(returned);
    const from = testing.logs.length;
    const { error } = await testing.client().request('resources/read', { uri: 'things://1' });
    expect(error).toEqual({ code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } });
    expect(logged(from)).toContain(path);
  });

  it.each<[string, unknown]>([
    ['a result of an interceptor', { resultType: 'complete', content: [{ type: 'hologram' }] }],
    ['questions of an interceptor', { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create', params: {} } } }],
  ])('%s', async (_what, returned) => {
    value = returning('fine');
    intercept = returning(returned);
    const { error } = await testing.client().callTool('returns');
    expect(error).toMatchObject({ code: -32603, message: 'Internal error' });
  });

  it('a result of an extension whose _meta is none', async () => {
    value = returning({ resultType: 'complete', _meta: 'x' });
    expect((await testing.client().request('example.com/any')).error).toMatchObject({ code: -32603 });
  });

  it('a notification of an extension, which is dropped while the others and the answer go out', async () => {
    const from = testing.logs.length;
    const { result, notifications } = await testing.client().request('example.com/notify');
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(notifications.map(({ params }) => params?.progress)).toEqual([1]);
    expect(logged(from)).toContain('params.progress must be');
  });

  it.each<[string, (ctx: McpToolContext) => unknown]>([
    ['a question', (ctx) => ctx.elicit({ message: 5 as never, schema: { type: 'object', properties: { a: { type: 'string' } } } })],
    [
      'a sample',
      (ctx) => ctx.sample({ maxTokens: 5, messages: [{ role: 'user', content: { type: 'image', data: '?', mimeType: 'image/png' } }] }),
    ],
    [
      'the temperature of a sample',
      (ctx) => ctx.sample({ maxTokens: 5, temperature: 'hot' as never, messages: [{ role: 'user', content: text as never }] }),
    ],
  ])('%s of a handler', async (_what, how) => {
    value = how;
    const client = testing.client({ capabilities: { elicitation: { form: {} }, sampling: {} } });
    const from = testing.logs.length;
    const { result } = await client.callTool('returns');
    expect(result).toMatchObject({ isError: true, content: INTERNAL });
    expect(logged(from)).toContain('does not conform to the protocol');
  });
});

describe('A-9: a returned object is a result only if it has nothing that a result does not have', () => {
  it.each<[string, unknown, object]>([
    ['{ content: [] } alone', { content: [] }, { content: [] }],
    [
      'a whole result',
      { content: [text], structuredContent: { a: 1 }, isError: false, _meta: { mine: 1 } },
      { content: [text], structuredContent: { a: 1 } },
    ],
    ['a member that is undefined', { content: [text], total: undefined }, { content: [text] }],
    ['what the builder made', toolResult({ content: [], structuredContent: 1 }), { content: [], structuredContent: 1 }],
    ['a block', image, { content: [image] }],
  ])('a result: %s', async (_what, returned, sent) => {
    value = returning(returned);
    const { result } = await testing.client().callTool('returns');
    expect(result).toMatchObject(sent);
    if (!('structuredContent' in sent)) expect(result).not.toHaveProperty('structuredContent');
  });

  it.each<[string, unknown]>([
    ['a page', { content: [], total: 0 }],
    ['a page of blocks', { content: [text], total: 1 }],
    ['a row that looks like a block', { type: 'text', text: 'a', id: 7 }],
    ['rows that look like blocks', [{ type: 'text', text: 'a', id: 7 }]],
    ['content of another kind', { content: [{ type: 'chapter' }] }],
    ['content with a row', { content: [{ type: 'text', text: 'a', id: 7 }] }],
    ['content that is a text', { content: 'an article' }],
  ])('data: %s', async (_what, returned) => {
    value = returning(returned);
    const { result } = await testing.client().callTool('returns');
    expect(result).toMatchObject({ structuredContent: returned, content: [{ type: 'text', text: JSON.stringify(returned) }] });
  });

  it.each<[string, unknown]>([
    ['a page', { contents: [{ text: 'a' }], total: 1 }],
    ['a row', { uri: 'a://b', text: 'a', id: 7 }],
    ['neither text nor blob', { uri: 'a://b' }],
  ])('data of a resource: %s', async (_what, returned) => {
    value = returning(returned);
    const { result } = await testing.client().request('resources/read', { uri: 'things://1' });
    expect(result?.contents).toEqual([{ uri: 'things://1', mimeType: 'application/json', text: JSON.stringify(returned) }]);
  });
});
