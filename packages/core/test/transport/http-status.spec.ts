import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { Method } from '../../src/protocol/vocabulary.js';
import { deferred } from '../../../../test/support/flow.js';
import { begin, call, closeEndpoints, complete, post, raw, send, startEndpoint } from './http-harness.js';

afterEach(closeEndpoints);

const ID_LESS = { jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.any(String) } };

describe('the HTTP status', () => {
  it.each([200, 400, 404, 401])('of a whole reply is what dispatch says: %i', async (status) => {
    const { port } = await startEndpoint({ answer: async (message) => ({ ...complete(message), status }) });
    expect((await send(port)).status).toBe(status);
  });

  it.each<[string, string | Buffer, number, number]>([
    ['what is not JSON', '{', 400, -32700],
    ['an empty body', '', 400, -32700],
    ['what is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ['a batch', '[]', 400, -32600],
    ['a posted response', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"m"}', 400, -32600],
    ['too much nesting', '['.repeat(65), 400, -32600],
    ['a polluting key', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{}}}', 400, -32600],
  ])('of %s is 400', async (_case, body, ...[status, code]) => {
    const { port, dispatcher } = await startEndpoint();
    const reply = await send(port, { body });
    expect({ status: reply.status, code: reply.json.error.code }).toEqual({ status, code });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(dispatcher.requests).toEqual([]);
  });

  it('of an unreadable message has the id in its body when there is one', async () => {
    const { port } = await startEndpoint();
    expect((await send(port, { body: '{"jsonrpc":"2.0","id":"x","method":1}' })).json).toEqual({ ...ID_LESS, id: 'x' });
    expect((await send(port, { body: '{' })).json).toEqual(ID_LESS);
  });

  it.each([Method.Cancelled, 'notifications/whatever'])('of the notification %s is 202 without a body', async (method) => {
    const { port, dispatcher } = await startEndpoint();
    const reply = await send(port, { body: { jsonrpc: '2.0', method, params: { requestId: 1 } } });
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 202, text: '' });
    expect(dispatcher.notifications).toHaveLength(1);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD'])('of %s is 405 and says POST', async (method) => {
    const { port } = await startEndpoint();
    const reply = await send(port, { method, body: '' });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('POST');
    if (method !== 'HEAD') expect(reply.json).toEqual(ID_LESS);
  });

  it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json', ''])(
    'of the content type %j is 415',
    async (type) => {
      const { port, dispatcher } = await startEndpoint();
      const reply = await send(port, { headers: { 'content-type': type } });
      expect(reply.status).toBe(415);
      expect(reply.json).toEqual(ID_LESS);
      expect(dispatcher.requests).toEqual([]);
    },
  );

  it('of no content type is 415, with and without a body', async () => {
    const { port } = await startEndpoint();
    for (const body of ['', JSON.stringify(call())]) {
      const text = post(['Host: localhost'], body).replace('Content-Type: application/json\r\n', '');
      expect(await raw(port, text)).toMatch(/^HTTP\/1\.1 415 /);
    }
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
    'of the content type %j is 200',
    async (type) => {
      const { port } = await startEndpoint();
      expect((await send(port, { headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it('of another path is the business of the app', async () => {
    const { port } = await startEndpoint();
    expect((await send(port, { path: '/other' })).status).toBe(404);
  });
});

describe('a body that is too large', () => {
  const big = JSON.stringify(call(1, 'm', { text: 'x'.repeat(5_000) }));

  it('is 413, though declared honestly, and the connection stays usable', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const { port, dispatcher } = await startEndpoint({ limits: { maxBodyBytes: 1_000 } });
    const { request, response } = await begin(port, { body: big, agent });
    expect(response.statusCode).toBe(413);
    const socket = request.socket;
    response.resume();
    await once(response, 'end');
    const next = await begin(port, { agent });
    next.response.resume();
    expect(next.response.statusCode).toBe(200);
    expect(next.request.socket).toBe(socket);
    expect(dispatcher.requests).toHaveLength(1);
    agent.destroy();
  });

  it('is 413 when it comes in chunks without a length, and the connection stays usable', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const { port, dispatcher } = await startEndpoint({ limits: { maxBodyBytes: 1_000 } });
    const request = http.request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/mcp',
      agent,
      headers: { 'content-type': 'application/json' },
    });
    request.write(big);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(response.statusCode).toBe(413);
    // Answered while the client is still sending; it may go on.
    request.end(big);
    response.resume();
    await once(response, 'end');
    expect((await send(port, { agent })).status).toBe(200);
    expect(dispatcher.requests).toHaveLength(1);
    agent.destroy();
  });

  it('is 413 by its declared length alone, before any of it was sent', async () => {
    const { port } = await startEndpoint();
    const socket = net.connect(port, '127.0.0.1');
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4194305\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('is taken up to the limit exactly', async () => {
    const { port } = await startEndpoint({ limits: { maxBodyBytes: Buffer.byteLength(big) } });
    expect((await send(port, { body: big })).status).toBe(200);
  });

  it('is refused by the default limit of 4 MiB', async () => {
    const { port } = await startEndpoint();
    const text = (length: number): string => JSON.stringify(call(1, 'm', { text: 'x'.repeat(length) }));
    expect((await send(port, { body: text(4 * 1024 * 1024 - 100) })).status).toBe(200);
    // Kept alive: a connection that ends with its answer may be reset under a client that still sends.
    const agent = new http.Agent({ keepAlive: true });
    expect((await send(port, { body: text(4 * 1024 * 1024), agent })).status).toBe(413);
    agent.destroy();
  });
});

describe('a body', () => {
  it('may come in pieces that cut a character in two', async () => {
    const { port, dispatcher } = await startEndpoint();
    const bytes = Buffer.from(post(['Host: localhost'], JSON.stringify(call(1, 'm', { text: '🙂' }))));
    const cut = bytes.indexOf(Buffer.from('🙂')) + 2;
    const socket = net.connect(port, '127.0.0.1');
    socket.write(bytes.subarray(0, cut));
    await once(socket, 'connect');
    // The server's turn: it has read the first piece when it answers another request.
    await send(port);
    socket.write(bytes.subarray(cut));
    socket.resume();
    await once(socket, 'end');
    expect(dispatcher.requests.at(-1)?.params).toEqual({ text: '🙂' });
  });

  it('whose client leaves half-way is never dispatched, and its read is given up', async () => {
    const left = deferred();
    const { port, dispatcher } = await startEndpoint({
      prepare: (fastify) =>
        void fastify.addHook('onRequest', (request, reply, next) => {
          if (request.headers['x-leaver'] !== undefined) reply.raw.on('close', () => left.resolve());
          next();
        }),
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Leaver: 1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json',
    );
    await once(socket, 'connect');
    await send(port);
    socket.destroy();
    await left.promise;
    expect(dispatcher.requests).toHaveLength(1);
  });

  it('is what guards and hooks see as the parsed message', async () => {
    const { port } = await startEndpoint({
      answer: async (message, { request }) => complete(message, { same: (request as any).body === message }),
    });
    expect((await send(port)).json.result.same).toBe(true);
  });
});

describe('what cannot be encoded', () => {
  it.each([
    ['a BigInt', { n: 1n }],
    [
      'a cycle',
      (() => {
        const a: any = {};
        a.a = a;
        return a;
      })(),
    ],
  ])('%s is an internal error', async (_case, rest) => {
    const { port, dispatcher } = await startEndpoint({ answer: async (message) => complete(message, rest) });
    const reply = await send(port);
    expect(reply.json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } },
    });
    expect(dispatcher.faults).toHaveLength(1);
  });
});

describe('equal ids of different clients', () => {
  it('never cross, in JSON and in SSE', async () => {
    const { port } = await startEndpoint({
      answer: async (message, { notifications }) => {
        const { value } = message.params as { value: number };
        if (value % 2 === 0) notifications.notify({ jsonrpc: '2.0', method: 'notifications/x', params: { value } });
        await new Promise((resolve) => setImmediate(resolve));
        return complete(message, { value });
      },
    });
    const values = Array.from({ length: 100 }, (_, index) => index);
    const replies = await Promise.all(values.map((value) => send(port, { body: call(1, 'm', { value }) })));
    for (const value of values) expect(replies[value]?.text.match(/"value":(\d+)/g)?.every((hit) => hit === `"value":${value}`)).toBe(true);
  });
});
