import { McpArg, McpContext, McpPrompt, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { headersOf, request, send, StdioClient, type RawReply } from './raw-client.js';

@Injectable()
class Handlers {
  @McpTool({ description: 'Counts' })
  count(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1, 2);
    return 'counted';
  }

  @McpTool({ description: 'Says whether it got a null' })
  nullable(@McpArg('a', { schema: { type: ['null', 'string'] } }) a: string | null): string {
    return String(a);
  }

  @McpPrompt({ description: 'A prompt' })
  greet(): string {
    return 'hello';
  }
}

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };

describe('P-6: what a client writes as null, and what it may not leave out', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({ providers: [Handlers] });
  });
  afterAll(() => app.close());

  const older = (body: object, version = '2025-11-25'): Promise<RawReply> =>
    send(app.url, { body: { jsonrpc: '2.0', id: 1, ...body }, headers: { 'mcp-protocol-version': version } });

  describe.each<[string, (body: { method: string; params: unknown }) => Promise<any>]>([
    ['an older client over HTTP', async (body) => (await older(body)).json],
    [
      'an older client on stdio',
      async (body) => {
        const client = new StdioClient(app.app);
        client.write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE });
        await client.next();
        client.write({ jsonrpc: '2.0', id: 1, ...body });
        const answer: unknown = await client.next();
        await client.end();
        return answer;
      },
    ],
  ])('of %s', (_client, ask) => {
    it.each([
      ['params', { method: 'tools/list', params: null }],
      ['params of a ping', { method: 'ping', params: null }],
      ['cursor', { method: 'tools/list', params: { cursor: null } }],
      ['arguments of a tool', { method: 'tools/call', params: { name: 'count', arguments: null } }],
      ['arguments of a prompt', { method: 'prompts/get', params: { name: 'greet', arguments: null } }],
      ['_meta', { method: 'tools/call', params: { name: 'count', _meta: null } }],
      ['progressToken', { method: 'tools/call', params: { name: 'count', _meta: { progressToken: null } } }],
    ])('null %s is taken as absent', async (_what, body) => {
      const { result, error } = await ask(body);
      expect({ error, isError: result?.isError }).toEqual({ error: undefined, isError: undefined });
    });

    it('a null among the arguments stays', async () => {
      const { result } = await ask({ method: 'tools/call', params: { name: 'nullable', arguments: { a: null } } });
      expect(result.content).toEqual([{ type: 'text', text: 'null' }]);
    });
  });

  it.each([
    ['cursor', 'tools/list', { cursor: null }],
    ['arguments', 'tools/call', { name: 'count', arguments: null }],
    ['progressToken', 'tools/call', { name: 'count', _meta: { progressToken: null } }],
    ['members of _meta', 'tools/call', { name: 'count', _meta: { 'io.modelcontextprotocol/clientInfo': null, traceparent: null } }],
  ])('null %s is taken as absent from a client of 2026-07-28', async (_what, method, params) => {
    const { status, json } = await send(app.url, {
      headers: headersOf(method, (params as { name?: string }).name),
      body: request(method, params),
    });
    expect({ status, isError: json.result?.isError, error: json.error }).toEqual({ status: 200, isError: undefined, error: undefined });
  });

  it.each([1.5, 1e300, Number.MAX_SAFE_INTEGER + 1])(
    'the progress token %p, which no notification may have, is refused',
    async (progressToken) => {
      const params = { name: 'count', _meta: { progressToken } };
      const now = await send(app.url, { headers: headersOf('tools/call', 'count'), body: request('tools/call', params) });
      expect({ status: now.status, error: now.json.error?.code, text: now.text.includes('notifications/progress') }).toEqual({
        status: 400,
        error: -32602,
        text: false,
      });
    },
  );

  it.each([1.5, Number.MAX_SAFE_INTEGER + 1])('the progress token %p of an older client is refused', async (progressToken) => {
    const { json, text } = await older({ method: 'tools/call', params: { name: 'count', _meta: { progressToken } } });
    expect({ error: json.error?.code, sent: text.includes('notifications/progress') }).toEqual({ error: -32602, sent: false });
  });

  it('a revision that does not exist is 400 in the header of initialize, and the answer names those that do', async () => {
    const { status, json } = await older({ method: 'initialize', params: INITIALIZE }, '1999-01-01');
    const supported = expect.arrayContaining(['2025-11-25', '2026-07-28']) as unknown;
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { id: 1, error: { code: -32022, data: { requested: '1999-01-01', supported } } },
    });
  });

  it.each(['initialize', 'tools/list', 'ping'])('and nonsense is 400 in that of %s', async (method) => {
    expect((await older({ method, params: method === 'initialize' ? INITIALIZE : {} }, 'nonsense')).status).toBe(400);
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a handshake whose header names %s is answered', async (version) => {
    expect((await older({ method: 'initialize', params: INITIALIZE }, version)).json.result.protocolVersion).toBe('2025-11-25');
  });

  it.each(['PROPFIND', 'GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS', 'MKCOL', 'SEARCH', 'PURGE', 'M-SEARCH'])(
    '%s is 405 with Allow',
    async (method) => {
      const { status, headers } = await send(app.url, { method });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
    },
  );
});
