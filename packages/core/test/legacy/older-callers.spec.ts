import { once } from 'node:events';
import {
  McpContext,
  McpExecution,
  McpTool,
  McpPrincipalSource,
  type McpPrincipal,
  type McpShutdownOptions,
  type McpToolContext,
} from '@mocapi/core';
import { Injectable, UnauthorizedException, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { deferred } from '../../../../test/support/flow.js';
import { INITIALIZE, OlderApp, older } from './legacy-harness.js';

const passed: string[] = [];
const headersOf = (context: ExecutionContext): Record<string, string | undefined> =>
  context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>().headers;

class GlobalGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    passed.push('global');
    if (headersOf(context).authorization === undefined) throw new UnauthorizedException();
    return true;
  }
}

const endpointGuard: CanActivate = {
  canActivate: (context) => {
    passed.push('endpoint');
    return headersOf(context)['x-banned'] === undefined;
  },
};

class ClassGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal, envelope } = McpExecution.of(context);
    passed.push(`class ${principal?.id} ${envelope.protocolVersion}`);
    return principal?.id !== 'guest';
  }
}

class Source extends McpPrincipalSource {
  override resolve(request: object): McpPrincipal {
    passed.push('principal');
    return { id: (request as { headers: { authorization: string } }).headers.authorization };
  }
}

const held = { entered: deferred<AbortSignal>(), release: deferred() };

@Injectable()
@UseGuards(ClassGuard)
class Tools {
  @McpTool({ description: 'Works' })
  work(@McpContext() ctx: McpToolContext): string {
    passed.push('body');
    return ctx.supports('elicitation') ? 'may ask' : 'may not ask';
  }

  @McpTool({ description: 'Waits' })
  async wait(@McpContext() ctx: McpToolContext): Promise<string> {
    held.entered.resolve(ctx.signal);
    await held.release.promise;
    return 'waited';
  }
}

const start = (legacy: 'stateless' | 'reject' = 'stateless', shutdown: McpShutdownOptions = {}): Promise<OlderApp> =>
  OlderApp.start({
    providers: [Tools, { provide: APP_GUARD, useClass: GlobalGuard }],
    options: { legacy, shutdown, guards: [endpointGuard], providers: [{ provide: McpPrincipalSource, useClass: Source }] },
  });

let app: OlderApp;
beforeEach(async () => {
  passed.length = 0;
  held.entered = deferred();
  held.release = deferred();
  app = await start();
});
afterEach(() => app.close());

describe('the guards of an older client', () => {
  it('run once each, in the order of every other client, and see its revision', async () => {
    expect((await app.call('work', {}, { authorization: 'ada' })).last.result.content[0].text).toBe('may not ask');
    expect(passed).toEqual(['global', 'endpoint', 'principal', 'class ada 2025-11-25', 'body']);
  });

  it.each([
    ['the handshake', INITIALIZE],
    ['a ping', older('ping')],
    ['a list', older('tools/list')],
  ])('stand before %s, once each', async (_what, message) => {
    expect((await app.post(message, { authorization: 'ada' })).last.result).toBeDefined();
    expect(passed).toEqual(['global', 'endpoint', 'principal']);
  });

  it.each([
    ['the handshake', INITIALIZE],
    ['a list', older('tools/list')],
    ['a call', older('tools/call', { name: 'work' })],
  ])('refuse %s by the HTTP status that makes a client sign in', async (_what, message) => {
    const stranger = await app.post(message);
    expect({ status: stranger.status, last: stranger.last }).toEqual({
      status: 401,
      last: { jsonrpc: '2.0', id: 1, error: { code: 401, message: 'Unauthorized' } },
    });
    expect((await app.post(message, { authorization: 'ada', 'x-banned': 'yes' })).status).toBe(403);
  });

  it('hear of a malformed handshake first, and tell a stranger nothing of what it needs', async () => {
    expect((await app.post(older('initialize'))).last.error).toEqual({ code: 401, message: 'Unauthorized' });
    expect((await app.post(older('initialize'), { authorization: 'ada' })).last.error.code).toBe(-32602);
  });

  it('deny a tool within the answer, as they do for every client', async () => {
    const { status, last } = await app.call('work', {}, { authorization: 'guest' });
    expect({ status, error: last.error }).toEqual({ status: 200, error: { code: 403, message: 'Forbidden' } });
    expect(passed).not.toContain('body');
  });
});

describe('a call of an older client', () => {
  const body = older('tools/call', { name: 'wait' });

  it('is aborted when the client leaves', async () => {
    const leaving = new AbortController();
    const gone = app.begin(body, { authorization: 'ada' }, leaving.signal).catch(() => 'gone');
    const signal = await held.entered.promise;
    leaving.abort();
    expect(await gone).toBe('gone');
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ abortCause: 'disconnected' });
    held.release.resolve();
  });

  it('may end when the server shuts down', async () => {
    await app.close();
    app = await start('stateless', { notice: 0, drain: 'PT1M' });
    const reply = app.post(body, { authorization: 'ada' });
    const signal = await held.entered.promise;
    const closing = app.close();
    while ((await app.post(older('ping'), { authorization: 'ada' })).status !== 503);
    held.release.resolve();
    const { status, last } = await reply;
    expect({ status, last }).toMatchObject({ status: 200, last: { id: 1, result: { content: [{ text: 'waited' }] } } });
    expect(signal.aborted).toBe(false);
    await closing;
  });

  it('gets a last word when the server shuts down', async () => {
    const reply = app.post(body, { authorization: 'ada' });
    await held.entered.promise;
    await app.close();
    expect((await reply).last).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'The server is shutting down' } });
    held.release.resolve();
  });
});

describe('a server that rejects older clients', () => {
  beforeEach(async () => {
    await app.close();
    app = await start('reject');
  });

  it('names the revisions that it serves, and the one that was asked for', async () => {
    const handshake = await app.post(INITIALIZE, { 'mcp-protocol-version': '', authorization: 'ada' });
    expect({ status: handshake.status, error: handshake.last.error }).toEqual({
      status: 400,
      error: { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
    const list = await app.post(older('tools/list'), { 'mcp-protocol-version': '', authorization: 'ada' });
    expect(list.last.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
    expect(list.last.error.data).not.toHaveProperty('requested');
    expect(passed).toEqual(['global', 'endpoint', 'principal', 'global', 'endpoint', 'principal']);
  });

  it('drops their notifications and refuses their batches', async () => {
    expect((await app.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { authorization: 'ada' })).status).toBe(202);
    const batch = await app.post([older('ping')], { authorization: 'ada' });
    expect({ status: batch.status, code: batch.last.error.code }).toEqual({ status: 400, code: -32600 });
  });

  it('has no stream and no session either', async () => {
    for (const method of ['GET', 'DELETE']) expect((await fetch(app.testing.url, { method })).status).toBe(405);
  });
});

describe('the option legacy', () => {
  it('fails the boot when it is neither of the two', async () => {
    await expect(start('session' as never)).rejects.toThrow(/"session" is not known/);
  });
});
