import {
  McpArg,
  McpComplete,
  McpContext,
  McpPrincipalSource,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
  type McpToolContext,
} from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { call, headersOf, request, send } from './raw-client.js';

@Injectable()
class Handlers {
  @McpTool({ description: 'One' })
  one(@McpContext() ctx: McpToolContext): string {
    const { meta } = ctx as unknown as { meta: Record<string, unknown> };
    return JSON.stringify([meta, Object.isFrozen(meta), Object.isFrozen(meta?.['com.example/nested'])]);
  }

  @McpTool({ description: 'Two' })
  two(@McpContext() ctx: McpToolContext): string {
    for (let value = 1; value <= 20; value++) ctx.progress(value);
    return 'two';
  }

  @McpTool({ description: 'Three' })
  three(): string {
    return 'three';
  }

  @McpPrompt({ description: 'A prompt' })
  ask(): string {
    return 'ask';
  }

  @McpResource({ uri: 'test://fixed', description: 'A resource' })
  fixed(): string {
    return 'fixed';
  }

  @McpResourceTemplate({ uriTemplate: 'tree:///{+path}', description: 'A path' })
  tree(@McpArg('path') path: string): string {
    return path;
  }

  @McpComplete({ template: 'tree:///{+path}', argument: 'path' })
  completePath(): string[] {
    return ['a'];
  }
}

@Injectable()
class ByHeader extends McpPrincipalSource {
  resolve(req: object): { id: string } | undefined {
    const id = (req as { headers: Record<string, string | undefined> }).headers['x-user'];
    return id === undefined ? undefined : { id };
  }
}

describe('P-6: pages, rates and _meta', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    const rateLimit = {
      calls: { perSecond: 0.01, burst: 3 },
      completions: { perSecond: 0.01, burst: 2 },
      notifications: { perSecond: 0.01, burst: 5 },
    };
    const options = { pageSize: 1, rateLimit, providers: [{ provide: McpPrincipalSource, useClass: ByHeader }] } as object;
    app = await createMcpTestingApp({ providers: [Handlers], options });
  });
  afterAll(() => app.close());

  const as = (user: string, method: string, params: { name?: string; uri?: string } & object): ReturnType<typeof send> =>
    send(app.url, { headers: { ...headersOf(method, params.name ?? params.uri), 'x-user': user }, body: request(method, params) });

  it('a page begins behind the last entry that was seen, whatever was added or removed before it', async () => {
    const first = (await call(app.url, 'tools/list')).json.result;
    const remaining = first.tools.map(({ name }: { name: string }) => name) as string[];
    expect(remaining).toHaveLength(1);
    const second = (await call(app.url, 'tools/list', { cursor: first.nextCursor })).json.result;
    expect([remaining[0], second.tools[0].name]).toEqual(['one', 'two']);
  });

  it.each(['MQ', 'Mg', Buffer.from('2').toString('base64url'), Buffer.from('["tools","nope"]').toString('base64url'), '', 'x'])(
    'the cursor "%s", which was not handed out, is refused',
    async (cursor) => {
      expect((await call(app.url, 'tools/list', { cursor })).json.error?.code).toBe(-32602);
    },
  );

  it('a cursor of one list opens no other', async () => {
    const { nextCursor } = (await call(app.url, 'tools/list')).json.result as { nextCursor: string };
    expect((await call(app.url, 'resources/templates/list', { cursor: nextCursor })).json.error?.code).toBe(-32602);
  });

  it('what a client puts into _meta reaches the handler, frozen, without what the protocol reads there', async () => {
    const _meta = { 'com.example/own': 7, 'com.example/nested': { a: [1] }, progressToken: 'p' };
    const { result } = (await as('meta', 'tools/call', { name: 'one', _meta } as object)).json;
    expect(JSON.parse(result.content[0].text)).toEqual([{ 'com.example/own': 7, 'com.example/nested': { a: [1] } }, true, true]);
  });

  it('a caller who calls too often is refused with 429, and others are not', async () => {
    for (let calls = 0; calls < 3; calls++) expect((await as('alice', 'tools/call', { name: 'three' })).status).toBe(200);
    const refused = await as('alice', 'prompts/get', { name: 'ask' });
    const retryAfterMs = refused.json.error?.data?.retryAfterMs as number;
    expect({ status: refused.status, code: refused.json.error?.code, whole: Number.isInteger(retryAfterMs) }).toEqual({
      status: 429,
      code: -32603,
      whole: true,
    });
    expect(Number(refused.headers['retry-after'])).toBe(Math.ceil(retryAfterMs / 1000));
    expect((await as('bob', 'tools/call', { name: 'three' })).status).toBe(200);
    expect((await as('alice', 'tools/list', {})).status).toBe(200);
  });

  it('an older client is refused in the same way', async () => {
    const headers = { 'mcp-protocol-version': '2025-11-25', 'x-user': 'carol' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'three', arguments: {} } };
    for (let calls = 0; calls < 3; calls++) expect((await send(app.url, { headers, body })).json.result.isError).toBeUndefined();
    const refused = await send(app.url, { headers, body });
    expect({
      status: refused.status,
      ms: typeof refused.json.error?.data?.retryAfterMs,
      after: Number(refused.headers['retry-after']) > 0,
    }).toEqual({
      status: 429,
      ms: 'number',
      after: true,
    });
  });

  it('callers without a principal count by their address', async () => {
    const statuses: number[] = [];
    for (let calls = 0; calls < 5; calls++) statuses.push((await call(app.url, 'tools/call', { name: 'three' })).status);
    expect(statuses).toContain(429);
  });

  it('of progress beyond the rate the latest report waits, and goes out before the answer at the latest', async () => {
    const { text, json } = await as('dave', 'tools/call', { name: 'two', _meta: { progressToken: 'p' } } as object);
    const sent = [...text.matchAll(/"progress":(\d+)/g)].map(([, value]) => Number(value));
    expect({ sent, answer: json.result.content[0].text }).toEqual({ sent: [1, 2, 3, 4, 5, 20], answer: 'two' });
  });

  it('a caller who completes too often is refused with 429, and others are not', async () => {
    const complete = (user: string): ReturnType<typeof send> =>
      as(user, 'completion/complete', {
        ref: { type: 'ref/resource', uri: 'tree:///{+path}' },
        argument: { name: 'path', value: '' },
      } as object);
    for (let calls = 0; calls < 2; calls++) expect((await complete('fay')).status).toBe(200);
    const refused = await complete('fay');
    expect([refused.status, refused.json.error.code, refused.json.error.data.retryAfterMs > 0]).toEqual([429, -32603, true]);
    expect((await complete('gus')).status).toBe(200);
  });

  it('a URI beyond ASCII comes back percent-encoded', async () => {
    const { text, json } = await send(app.url, {
      headers: { ...headersOf('resources/read', `=?base64?${Buffer.from('nothing://größe').toString('base64')}?=`), 'x-user': 'erin' },
      body: request('resources/read', { uri: 'nothing://größe' }),
    });
    expect(json.error?.data?.uri).toBe('nothing://gr%C3%B6%C3%9Fe');
    expect(text).not.toContain('größe');
  });
});
