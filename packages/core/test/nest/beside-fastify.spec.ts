import helmet from '@fastify/helmet';
import { McpContext, McpTool, type McpModuleOptions, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpReply, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

@Injectable()
class Tools {
  @McpTool({ description: 'x' }) plain(): string {
    return 'hi';
  }
  @McpTool({ description: 'x' }) streaming(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1);
    return 'hi';
  }
}

const ORIGIN = 'https://inspector.example';

let testing: McpTestingApp | undefined;
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

async function start(configure: (app: NestFastifyApplication) => unknown, options: Partial<McpModuleOptions> = {}): Promise<McpTestingApp> {
  return (testing = await createMcpTestingApp({ providers: [Tools], options, configure }));
}

const headers = { origin: ORIGIN };

/** The same call answered as JSON and as an event stream. */
const CARRIERS = [
  ['JSON', 'application/json', (app: McpTestingApp) => app.client({ headers }).callTool('plain')],
  [
    'an event stream',
    'text/event-stream',
    (app: McpTestingApp) => app.client({ headers }).callTool('streaming', {}, { meta: { progressToken: 1 } }),
  ],
] as const;

const open = { allowedOrigins: [ORIGIN] };

function expectCarrier({ headers: got, result }: McpReply, type: string): void {
  expect(got.get('content-type')).toMatch(type);
  expect(result?.content?.[0]?.text).toBe('hi');
}

describe.each(CARRIERS)('an answer as %s', (_name, type, call) => {
  it('carries the headers of helmet', async () => {
    const app = await start((nest) => nest.register(helmet as never), open);
    const reply = await call(app);
    expectCarrier(reply, type);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('carries the headers of enableCors, for the origin that asked', async () => {
    const app = await start((nest) => nest.enableCors({ origin: [ORIGIN], credentials: true, exposedHeaders: ['x-trace'] }), open);
    const reply = await call(app);
    expectCarrier(reply, type);
    expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(reply.headers.get('access-control-allow-credentials')).toBe('true');
    expect(reply.headers.get('access-control-expose-headers')).toBe('x-trace');
  });

  it('carries what an onRequest hook put on the reply, and counts in onResponse once', async () => {
    let responses = 0;
    const app = await start((nest) => {
      const fastify = nest.getHttpAdapter().getInstance();
      fastify.addHook('onRequest', async (_request, reply) => void reply.header('x-trace', '7'));
      fastify.addHook('onResponse', async () => void (responses += 1));
    }, open);
    const reply = await call(app);
    expectCarrier(reply, type);
    expect(reply.headers.get('x-trace')).toBe('7');
    await app.close();
    testing = undefined;
    expect(responses).toBe(1);
  });

  it('is not sent when an onRequest hook has answered before', async () => {
    const app = await start((nest) => {
      const fastify = nest.getHttpAdapter().getInstance();
      fastify.addHook('onRequest', async (_request, reply) => reply.code(429).send({ slow: 'down' }));
    }, open);
    const reply = await call(app);
    expect([reply.status, reply.raw]).toEqual([429, '{"slow":"down"}']);
  });
});

describe('an onSend hook', () => {
  it('sees every answer that is JSON, and may change its headers; an event stream is written past it', async () => {
    const sent: string[] = [];
    const app = await start((nest) => {
      const fastify = nest.getHttpAdapter().getInstance();
      fastify.addHook('onSend', async (_request, reply, payload) => (sent.push(payload as string), reply.header('x-sent', 'yes'), payload));
    }, open);
    const [asJson, asStream] = [await CARRIERS[0][2](app), await CARRIERS[1][2](app)];
    expect(sent).toEqual([asJson.raw]);
    expect([asJson.headers.get('x-sent'), asStream.headers.get('x-sent')]).toEqual(['yes', null]);
  });
});

describe('a body', () => {
  it('is read by the endpoint alone: preValidation hooks find its bytes, which no parser of the app has touched', async () => {
    const bodies: unknown[] = [];
    const app = await start((nest) => {
      const fastify = nest.getHttpAdapter().getInstance();
      fastify.addHook('preValidation', async (request) => void bodies.push(request.body));
    });
    expect((await app.client().callTool('plain')).status).toBe(200);
    expect(bodies.map((body) => Buffer.isBuffer(body))).toEqual([true]);
  });
});

describe('the preflight of a browser', () => {
  const preflight = (app: McpTestingApp, origin: string): Promise<Response> =>
    fetch(app.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
      },
    });

  it('is answered by enableCors, the headers of the protocol allowed', async () => {
    const app = await start((nest) => nest.enableCors({ origin: [ORIGIN] }), open);
    const response = await preflight(app, ORIGIN);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });

  it('of a page that `allowedOrigins` does not name promises nothing that the call would keep', async () => {
    const app = await start((nest) => nest.enableCors({ origin: true }));
    const reply = await app.client({ headers: { origin: 'https://evil.example' } }).callTool('plain');
    expect(reply.status).toBe(403);
  });

  it('finds no method but POST without enableCors', async () => {
    expect((await preflight(await start(() => undefined, open), ORIGIN)).status).toBe(405);
  });
});
