import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { headersOf, META, request, send, StdioClient } from './raw-client.js';

const MIB = 1024 * 1024;

/** A request in the order of the official client, whose id comes last. */
function idLast(params: object, id: string | number): string {
  return JSON.stringify({ method: 'tools/list', params: { ...params, _meta: META }, jsonrpc: '2.0', id });
}

function nested(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
}

describe('P-4: a request that is too deep or too large is refused under its own id', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({});
  });
  afterAll(() => app.close());

  describe('on stdio', () => {
    let client: StdioClient;
    beforeEach(() => {
      client = new StdioClient(app.app);
    });
    afterEach(() => client.end());

    it('when its arguments nest 70 deep', async () => {
      client.write(idLast({ a: nested(70) }, 'deep'));
      expect(await client.next()).toMatchObject({ id: 'deep', error: { code: -32600 } });
    });

    it('when its line is too long, and what follows is answered', async () => {
      client.write(idLast({ pad: 'x'.repeat(11 * MIB) }, 7));
      client.write(request('tools/list', {}, 8));
      expect([await client.next(), await client.next()]).toMatchObject([
        { id: 7, error: { code: -32600, message: expect.stringContaining('10485760') } },
        { id: 8, result: { tools: [] } },
      ]);
    });

    it('and a line of 1.2 MB, and one of 9 MiB, are not too long', async () => {
      for (const length of [1.2e6, 9 * MIB]) {
        client.write(idLast({ pad: 'x'.repeat(length) }, length));
        expect(await client.next()).toMatchObject({ id: length, result: { tools: [] } });
      }
    });

    it.each([
      ['a response', { id: 3, result: { a: nested(70) } }],
      ['a notification', { method: 'notifications/x', params: { a: nested(70) } }],
      ['one whose id is an object', { id: { id: 3 }, method: 'x', params: nested(70) }],
      ['one whose id is a fraction', { id: 1.5, method: 'x', params: nested(70) }],
      ['one that has an id in its params alone', { method: 'x', params: { id: 3, a: nested(70) } }],
    ])('but never under the id of %s', async (_what, message) => {
      client.write({ jsonrpc: '2.0', ...message });
      const refused = await client.next();
      expect(refused).toMatchObject({ error: { code: -32600 } });
      expect(refused).not.toHaveProperty('id');
    });

    it('with an id that is written in escapes', async () => {
      client.write(`{"jsonrpc":"2.0","\\u0069d":"a\\"\\u00e9}","method":"x","params":${'['.repeat(70)}${']'.repeat(70)}}`);
      expect(await client.next()).toMatchObject({ id: 'a"é}', error: { code: -32600 } });
    });
  });

  describe('over HTTP', () => {
    const headers = headersOf('tools/list');

    it('when its arguments nest 70 deep', async () => {
      const { status, json } = await send(app.url, { headers, body: idLast({ a: nested(70) }, 'deep') });
      expect({ status, json }).toMatchObject({ status: 400, json: { id: 'deep', error: { code: -32600 } } });
    });

    it('when its body is too large and its id stands at the front', async () => {
      const { status, json } = await send(app.url, { headers, body: request('tools/list', { pad: 'x'.repeat(5 * MIB) }, 'large') });
      expect({ status, json }).toMatchObject({ status: 413, json: { id: 'large', error: { code: -32600 } } });
    });

    it('and a body of 3.9 MiB is not too large', async () => {
      expect((await send(app.url, { headers, body: idLast({ pad: 'x'.repeat(3.9 * MIB) }, 1) })).json.result.tools).toEqual([]);
    });
  });
});
