import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Controller, Inject, Post, Body } from '@nestjs/common';
import type { McpTransport } from '../../src/transport/mcp-transport.js';
import { registerStreamableHttp } from '../../src/transport/streamable-http/register-streamable-http.js';
import { Frames, StubDispatcher, begin, call, closeEndpoints, complete, post, progress, raw, send, startEndpoint } from './http-harness.js';

afterEach(closeEndpoints);

const streams = async (message: any, exchange: any) => {
  exchange.notifications.notify(progress(1));
  return complete(message);
};

describe('headers that hooks of the app set', () => {
  it.each([true, false])('survive (streaming: %s)', async (streaming) => {
    const { port } = await startEndpoint({
      ...(streaming && { answer: streams }),
      prepare: (fastify) =>
        void fastify.addHook('onRequest', (_request, reply, next) => {
          reply.header('x-by-fastify', 'a').header('vary', 'Origin');
          reply.raw.setHeader('x-by-node', 'b');
          reply.header('set-cookie', ['c=1', 'd=2']);
          next();
        }),
    });
    const reply = await send(port);
    expect(reply.headers).toMatchObject({ 'x-by-fastify': 'a', 'x-by-node': 'b', vary: 'Origin', 'set-cookie': ['c=1', 'd=2'] });
    expect(reply.headers['content-type']).toContain(streaming ? 'text/event-stream' : 'application/json');
  });

  it('survive on refusals', async () => {
    const { port } = await startEndpoint({
      prepare: (fastify) => void fastify.addHook('onRequest', (_request, reply, next) => (reply.header('x-by-fastify', 'a'), next())),
    });
    for (const outgoing of [{ method: 'GET', body: '' }, { headers: { host: 'evil' } }, { body: '{' }]) {
      expect((await send(port, outgoing)).headers['x-by-fastify']).toBe('a');
    }
  });
});

describe('an error of a hook of the app', () => {
  it.each<[string, unknown, number, number]>([
    ['with a status of 4xx keeps it', Object.assign(new Error('/srv/secret'), { statusCode: 401 }), 401, -32600],
    ['without a status is masked', new Error('/srv/secret'), 500, -32603],
    ['with a status of 5xx is masked', Object.assign(new Error('/srv/secret'), { statusCode: 503 }), 500, -32603],
  ])('%s', async (_case, error, ...[status, code]) => {
    const { port, dispatcher } = await startEndpoint({
      prepare: (fastify) => void fastify.addHook('onRequest', (_request, _reply, next) => next(error as Error)),
    });
    const reply = await send(port);
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(reply.json).not.toHaveProperty('id');
    expect(reply.text).not.toContain('secret');
    expect(dispatcher.requests).toEqual([]);
  });

  it('that answers by itself is its answer', async () => {
    const { port, dispatcher } = await startEndpoint({
      prepare: (fastify) => void fastify.addHook('preHandler', async (_request, reply) => reply.code(402).send({ pay: 'me' })),
    });
    const reply = await send(port);
    expect({ status: reply.status, json: reply.json }).toEqual({ status: 402, json: { pay: 'me' } });
    expect(dispatcher.requests).toEqual([]);
  });
});

describe('routing headers', () => {
  const answer = async (message: any, { headers }: any) =>
    complete(message, { name: headers['mcp-name'], method: headers['mcp-method'], param: headers['mcp-param-x'] });
  const result = (reply: string): unknown => JSON.parse(reply.slice(reply.indexOf('\r\n\r\n'))).result;

  it('are read whatever the case of their names', async () => {
    const { port } = await startEndpoint({ answer });
    const reply = await raw(port, post(['Host: localhost', 'MCP-NAME:   echo  ', 'mcp-method: tools/call', 'Mcp-Param-X: y']));
    expect(result(reply)).toEqual({ resultType: 'complete', name: 'echo', method: 'tools/call', param: 'y' });
  });

  it.each(['a', 'b'])('sent twice are told from one that holds a comma (second: %s)', async (second) => {
    const { port } = await startEndpoint({ answer });
    const twice = await raw(port, post(['Host: localhost', 'Mcp-Name: a', `mcp-NAME: ${second}`, 'Mcp-Param-X: 1', 'Mcp-Param-X: 2']));
    expect(result(twice)).toEqual({ resultType: 'complete', name: ['a', second], param: ['1', '2'] });
    const once = await raw(port, post(['Host: localhost', `Mcp-Name: a, ${second}`]));
    expect(result(once)).toEqual({ resultType: 'complete', name: `a, ${second}` });
  });
});

describe('in a Nest app', () => {
  async function startApp(dispatcher: StubDispatcher): Promise<{ app: NestFastifyApplication; port: number }> {
    @Controller()
    class EchoController {
      @Post('echo')
      echo(@Body() body: unknown): unknown {
        return body;
      }
    }
    @Module({ controllers: [EchoController] })
    class EndpointModule implements OnApplicationBootstrap {
      transport: McpTransport | undefined;
      constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}
      onApplicationBootstrap(): void {
        this.transport = registerStreamableHttp(this.host.httpAdapter.getInstance(), {
          path: '/mcp',
          dispatcher,
          allowedOrigins: ['app.example.com'],
        });
      }
    }
    const module = await Test.createTestingModule({ imports: [EndpointModule] }).compile();
    const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
    app.enableCors({ origin: 'https://app.example.com', exposedHeaders: ['Mcp-Thing'] });
    await app.listen(0, '127.0.0.1');
    return { app, port: (app.getHttpServer().address() as { port: number }).port };
  }

  it('it stands beside controllers, whose bodies it does not touch', async () => {
    const { app, port } = await startApp(new StubDispatcher());
    expect((await send(port)).json).toMatchObject({ id: 1, result: {} });
    expect((await send(port, { path: '/echo', body: { x: 1 } })).json).toEqual({ x: 1 });
    const form = await send(port, { path: '/echo', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'x=1' });
    expect(form.json).toEqual({ x: '1' });
    await app.close();
  });

  it.each([true, false])('CORS headers are on its replies (streaming: %s), and preflights are answered', async (streaming) => {
    const { app, port } = await startApp(new StubDispatcher(streaming ? streams : undefined));
    const headers = { origin: 'https://app.example.com' };
    const reply = await send(port, { headers });
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-expose-headers': 'Mcp-Thing',
    });
    const preflight = await send(port, { method: 'OPTIONS', body: '', headers: { ...headers, 'access-control-request-method': 'POST' } });
    expect(preflight.status).toBe(204);
    await app.close();
  });

  it('app.close() ends open streams with a last word and does not hang', async () => {
    const { app, port } = await startApp(
      new StubDispatcher((_message, { notifications }) => {
        notifications.notify(progress(1));
        return new Promise(() => {});
      }),
    );
    const { response } = await begin(port, { body: call(9) });
    await app.close();
    expect((await new Frames(response).rest()).at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 9,
      error: { code: -32603, message: 'Server is shutting down' },
    });
  });
});
