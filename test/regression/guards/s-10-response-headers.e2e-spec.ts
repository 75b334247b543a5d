import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { HttpException, Injectable, UnauthorizedException, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { call, olderCall, post, request, routing, type Target } from './wire.js';

interface Reply {
  header(name: string, value: unknown): void;
  setHeader(name: string, value: unknown): void;
}

/** Sets what logins and rate limits set, and refuses as the request asks. */
const guard: CanActivate = {
  canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<{ headers: Record<string, string | undefined> }>();
    const response = http.getResponse<Reply>();
    response.header('X-RateLimit-Remaining', 3);
    response.setHeader('x-request-id', 'r1');
    response.header('content-type', 'text/html');
    response.header('mcp-session-id', 'stolen');
    response.header('x-own', 'not allowed');
    response.header('server-timing', 'a\r\nx-injected: 1');
    if (headers['x-do'] === '401') {
      response.setHeader('WWW-Authenticate', ['Bearer realm="a"', 'Basic']);
      throw new UnauthorizedException();
    }
    if (headers['x-do'] === '429') {
      response.header('Retry-After', 7);
      throw new HttpException('slow down', 429);
    }
    return true;
  },
};

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  plain(): string {
    return 'done';
  }

  @McpTool({ description: 'x' })
  @UseGuards({
    canActivate(context) {
      context.switchToHttp().getResponse<Reply>().header('Retry-After', '9');
      throw new HttpException('later', 429);
    },
  })
  denied(): string {
    return 'never';
  }

  @McpTool({ description: 'x' })
  streams(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1);
    return 'done';
  }
}

describe('S-10: headers that guards set reach the HTTP response', () => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Tools], configure: (app) => app.useGlobalGuards(guard) });
  });
  afterAll(() => testing.close());

  const legs = [
    ['a client of 2026-07-28', call],
    ['an older client', olderCall],
  ] as const;
  const target = (how?: string): Target => ({ url: testing.url, headers: how === undefined ? {} : { 'x-do': how } });
  const params = { name: 'plain', arguments: {} };

  describe.each(legs)('to %s', (_leg, ask) => {
    it('with a result', async () => {
      const { status, headers, message } = await ask(target(), 'tools/call', params);
      expect([status, headers.get('x-ratelimit-remaining'), headers.get('x-request-id')]).toEqual([200, '3', 'r1']);
      expect(message.result.content).toEqual([{ type: 'text', text: 'done' }]);
      expect(headers.get('content-type')).not.toContain('html');
      expect(['mcp-session-id', 'x-own', 'server-timing', 'x-injected'].filter((name) => headers.has(name))).toEqual([]);
    });

    it.each(['tools/call', 'tools/list', 'nothing/at-all'])('with a refusal of %s', async (method) => {
      const refused = await ask(target('401'), method, params);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="a", Basic']);
      expect(refused.message.error).toEqual({ code: 401, message: 'Unauthorized' });
      const limited = await ask(target('429'), method, params);
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
      expect(limited.message.error).toEqual({ code: 429, message: 'Too Many Requests', data: { retryAfterMs: 7000 } });
    });

    it('with a denial in-band', async () => {
      const { status, headers, message } = await ask(target(), 'tools/call', { name: 'denied', arguments: {} });
      expect([status, headers.get('retry-after'), headers.get('x-request-id')]).toEqual([200, '9', 'r1']);
      expect(message.error).toEqual({ code: 429, message: 'Too Many Requests', data: { retryAfterMs: 9000 } });
    });
  });

  it('and the head of an event stream', async () => {
    const body = request('tools/call', { name: 'streams', arguments: {} }) as { params: { _meta: object } };
    body.params._meta = { ...body.params._meta, progressToken: 1 };
    const { headers, text } = await post(testing.url, body, routing('tools/call', 'streams'));
    expect(text).toContain('notifications/progress');
    expect([headers.get('content-type'), headers.get('x-request-id')]).toEqual(['text/event-stream', 'r1']);
  });

  it('and warn once when the value is none', () => {
    expect(testing.logs.filter(({ message }) => message.includes('server-timing'))).toHaveLength(1);
  });
});
