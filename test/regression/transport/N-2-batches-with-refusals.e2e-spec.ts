import { McpArg, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { deferred, turns, until, type Deferred } from '../../support/flow.js';
import { send, type RawReply } from './raw-client.js';

let refused = 0;
let paid = 0;
let release: Deferred;

/** Refuses whoever names "nobody". */
@Injectable()
class NotNobody implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<{ body: { params?: { arguments?: { who?: string } } } }>();
    if (body.params?.arguments?.who !== 'nobody') return true;
    refused += 1;
    throw new UnauthorizedException();
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Pays, which takes a while' })
  async pay(@McpArg('who') who: string): Promise<string> {
    await release.promise;
    paid += 1;
    return `paid ${who}`;
  }
}

const call = (id: number, who: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'pay', arguments: { who } },
});

describe('N-2: a refusal in a batch takes away no answer of the others', () => {
  let app: McpTestingApp;
  beforeEach(() => {
    refused = 0;
    paid = 0;
    release = deferred();
  });
  afterEach(() => app.close());

  const start = async (rateLimit: object = {}): Promise<void> => {
    const options = { name: 'test', version: '1.0.0', rateLimit };
    app = await createMcpTestingApp({ providers: [Tools, { provide: APP_GUARD, useClass: NotNobody }], options });
  };
  const post = (messages: readonly object[]): Promise<RawReply> =>
    send(app.url, { body: JSON.stringify(messages), headers: { 'mcp-protocol-version': '2025-03-26' } });

  it('that come later than it', async () => {
    await start();
    const reply = post([call(1, 'ann'), call(2, 'nobody'), call(3, 'bob')]);
    await until(() => refused === 1, 'the guard has refused one');
    await turns(20);
    release.resolve();
    const { status, text } = await reply;
    expect([status, paid]).toEqual([200, 2]);
    expect(text).toContain('paid ann');
    expect(text).toContain('paid bob');
    expect(text).toContain('"code":401');
  });

  it('when it comes of a limit', async () => {
    await start({ calls: { perSecond: 0.001, burst: 2 } });
    const reply = post([1, 2, 3, 4].map((id) => call(id, 'ann')));
    await turns(50);
    release.resolve();
    const { status, text } = await reply;
    expect([status, paid]).toEqual([200, 2]);
    expect(text.match(/paid ann/g)).toHaveLength(2);
    expect(text.match(/"retryAfterMs"/g)).toHaveLength(2);
  });

  it('that come of no handler', async () => {
    await start();
    const { status, text } = await post([{ jsonrpc: '2.0', id: 7, method: 'ping' }, call(2, 'nobody')]);
    expect([status, refused]).toEqual([200, 1]);
    expect(text).toMatch(/"id":7/);
    expect(text).toContain('"code":401');
  });

  it('a batch whose calls are all refused has the status of the refusal', async () => {
    await start();
    const { status } = await post([call(1, 'nobody'), call(2, 'nobody')]);
    expect([status, refused]).toEqual([401, 2]);
  });

  it('and one whose client leaves while it waits is given up', async () => {
    await start();
    const gone = new AbortController();
    const body = JSON.stringify([call(1, 'ann'), call(2, 'nobody')]);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const asked = fetch(app.url, { method: 'POST', headers, body, signal: gone.signal }).catch((error: unknown) => error);
    await until(() => refused === 1, 'the guard has refused one');
    gone.abort();
    expect(await asked).toMatchObject({ name: 'AbortError' });
    release.resolve();
    await until(() => paid === 1, 'the body has ended');
  });
});
