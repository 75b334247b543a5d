import { McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { send, StdioClient, type RawReply } from './raw-client.js';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: {} } };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const PING = { jsonrpc: '2.0', id: 3, method: 'ping' };

const seen: { body: any; user: unknown }[] = [];
let paid = 0;

/** Refuses calls by what the body of the request says, as the guard of a REST route would. */
@Injectable()
class NoCalls implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ body: any; user?: unknown; headers: object }>();
    seen.push({ body: request.body, user: request.user });
    request.user = request.body.method;
    return request.body.method !== 'tools/call';
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Pays' })
  pay(): string {
    paid += 1;
    return 'paid';
  }
}

describe('S-6: each message of a batch is a request of its own for guards', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({ providers: [Tools, { provide: APP_GUARD, useClass: NoCalls }] });
  });
  beforeEach(() => {
    seen.length = 0;
    paid = 0;
  });
  afterAll(() => app.close());

  const post = (body: unknown, version?: string): Promise<RawReply> =>
    send(app.url, { body: JSON.stringify(body), headers: version === undefined ? {} : { 'mcp-protocol-version': version } });

  it('a batch of one call is refused like the call', async () => {
    const { text } = await post([CALL], '2025-03-26');
    expect(seen.map(({ body }) => body.method)).toEqual(['tools/call']);
    expect(text).toContain('"error"');
    expect(paid).toBe(0);
  });

  it('a call amid others is refused, and they are not', async () => {
    const { text } = await post([PING, LIST, CALL]);
    expect(seen.map(({ body }) => String(body.method)).toSorted()).toEqual(['ping', 'tools/call', 'tools/list']);
    expect(paid).toBe(0);
    expect(text).toContain('"tools":[');
  });

  it('what a guard leaves on the request of one message is not on that of another', async () => {
    await post([LIST, { ...LIST, id: 4 }, PING]);
    expect(seen.map(({ user }) => user)).toEqual([undefined, undefined, undefined]);
  });

  it.each(['2025-06-18', '2025-11-25', '2024-11-05', '2026-07-28'])('a batch under %s, which has none, is refused', async (version) => {
    const { status, json } = await post([LIST], version);
    expect({ status, code: json?.error?.code }).toEqual({ status: 400, code: -32600 });
    expect(json).not.toHaveProperty('id');
  });

  describe('on stdio', () => {
    const initialize = (protocolVersion: string): object => ({
      jsonrpc: '2.0',
      id: 'hello',
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });

    it('a batch of 2025-03-26 is answered by one array, each of its messages behind the guards', async () => {
      const client = new StdioClient(app.app);
      client.write(initialize('2025-03-26'));
      expect((await client.next()).result.protocolVersion).toBe('2025-03-26');
      client.write([PING, LIST, CALL, { jsonrpc: '2.0', method: 'notifications/x' }]);
      const answers = (await client.next()) as { id: number }[];
      expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
        { id: 1, error: {} },
        { id: 2, result: { tools: [{}] } },
        { id: 3, result: {} },
      ]);
      expect(paid).toBe(0);
      await client.end();
    });

    it.each(['2025-06-18', '2025-11-25'])('a batch of %s is refused', async (version) => {
      const client = new StdioClient(app.app);
      client.write(initialize(version));
      await client.next();
      client.write([LIST]);
      client.write({ ...LIST, id: 9 });
      expect([await client.next(), await client.next()]).toMatchObject([{ error: { code: -32600 } }, { id: 9, result: {} }]);
      await client.end();
    });
  });
});
