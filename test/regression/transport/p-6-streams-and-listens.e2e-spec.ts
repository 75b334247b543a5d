import http from 'node:http';
import { once } from 'node:events';
import { McpPrincipalSource, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { headersOf, request, send, type RawReply } from './raw-client.js';

@Injectable()
class Tools {
  @McpTool({ description: 'Open' })
  open(): string {
    return 'in';
  }
}

@Injectable()
class ByHeader extends McpPrincipalSource {
  resolve(req: object): { id: string } | undefined {
    const id = (req as { headers: Record<string, string | undefined> }).headers['x-user'];
    return id === undefined ? undefined : { id };
  }
}

const body = request('subscriptions/listen', { notifications: {} });

describe('P-6: open streams and how often they are opened are refused in one form', () => {
  let app: McpTestingApp;
  const open: http.ClientRequest[] = [];
  const start = async (options: object): Promise<void> => {
    app = await createMcpTestingApp({
      providers: [Tools],
      options: { ...options, providers: [{ provide: McpPrincipalSource, useClass: ByHeader }] },
    });
  };
  afterEach(async () => {
    for (const outgoing of open.splice(0)) outgoing.destroy();
    await app.close();
  });

  const headers = (user: string): Record<string, string> => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersOf('subscriptions/listen'),
    'x-user': user,
  });

  /** Opens a stream, and leaves it open. */
  async function listens(user: string): Promise<number> {
    const outgoing = http.request(app.url, { method: 'POST', headers: headers(user), agent: false });
    outgoing.on('error', () => {});
    open.push(outgoing);
    outgoing.end(JSON.stringify(body));
    const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    response.on('error', () => {}).resume();
    return response.statusCode!;
  }

  const refused = ({ status, json, headers: { 'retry-after': after } }: RawReply): unknown => ({
    status,
    code: json?.error?.code as number,
    whole: Number.isInteger(json?.error?.data?.retryAfterMs),
    after: Number(after) === Math.ceil(json?.error?.data?.retryAfterMs / 1000),
  });
  const REFUSED = { status: 429, code: -32603, whole: true, after: true };

  it('a caller with too many open streams; another may open one', async () => {
    await start({ limits: { maxListensPerPrincipal: 2 } });
    expect([await listens('ali'), await listens('ali')]).toEqual([200, 200]);
    expect(refused(await send(app.url, { headers: headers('ali'), body }))).toEqual(REFUSED);
    expect(await listens('bea')).toBe(200);
  });

  it('all places for streams are taken', async () => {
    await start({ limits: { maxListens: 2 } });
    expect([await listens('ali'), await listens('bea')]).toEqual([200, 200]);
    expect(refused(await send(app.url, { headers: headers('cyd'), body }))).toEqual(REFUSED);
  });

  it('a caller who opens streams too often; another may open one', async () => {
    await start({ rateLimit: { listens: { perSecond: 0.01, burst: 2 } } });
    expect([await listens('ali'), await listens('ali')]).toEqual([200, 200]);
    expect(refused(await send(app.url, { headers: headers('ali'), body }))).toEqual(REFUSED);
    expect(await listens('bea')).toBe(200);
  });
});
