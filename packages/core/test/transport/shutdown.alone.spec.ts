import { once } from 'node:events';
import net from 'node:net';
import { type Exchange, isShutdown } from '../../src/dispatch/exchange.js';
import { QUIET_MS } from '../../src/transport/streamable-http/closing-notice.js';
import { aborted, deferred, turns } from '../../../../test/support/flow.js';
import { Frames, begin, call, closeEndpoints, complete, post, progress, send, startEndpoint, watchTimers } from './http-harness.js';

afterEach(closeEndpoints);

const never = new Promise<never>(() => {});
const SHUTTING_DOWN = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Server is shutting down' } };

describe('closing the server', () => {
  it('answers a request whose method does not heed its signal', async () => {
    const taken = deferred<Exchange>();
    const { port, close } = await startEndpoint({ answer: (_message, exchange) => (taken.resolve(exchange), never) });
    const sending = send(port);
    const { signal } = await taken.promise;
    await close();
    const reply = await sending;
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(SHUTTING_DOWN);
    expect(isShutdown(signal)).toBe(true);
  });

  it('ends an open stream with the same last word', async () => {
    const taken = deferred();
    const { port, close } = await startEndpoint({
      answer: (_message, { notifications }) => {
        notifications.notify(progress(1));
        taken.resolve();
        return never;
      },
    });
    const { response } = await begin(port);
    await taken.promise;
    await close();
    expect(await new Frames(response).rest()).toEqual([progress(1), SHUTTING_DOWN]);
  });

  it('lets a method that heeds it say a word of its own', async () => {
    const { port, close } = await startEndpoint({
      answer: async (message, { notifications, signal }) => {
        notifications.notify(progress(1));
        await once(signal, 'abort');
        return complete(message, { ended: isShutdown(signal) });
      },
    });
    const { response } = await begin(port);
    await close();
    expect((await new Frames(response).rest()).at(-1)).toMatchObject({ result: { ended: true } });
  });

  it.each<[string, object]>([
    ['an error', { error: { code: -32603, message: 'aborted' } }],
    ['an isError result', { result: { resultType: 'complete', isError: true, content: [] } }],
  ])('says why in place of %s that the abort brought about', async (_case, outcome) => {
    const taken = deferred();
    const { port, close } = await startEndpoint({
      answer: async ({ id }, { signal }) => {
        taken.resolve();
        await once(signal, 'abort');
        return { status: 200, message: { jsonrpc: '2.0', id, ...outcome } as never };
      },
    });
    const sending = send(port);
    await taken.promise;
    await close();
    expect((await sending).json).toEqual(SHUTTING_DOWN);
  });

  it.each(['server', 'transport'])('cuts off a reader that has stalled (the %s is closed)', async (closed) => {
    const taken = deferred<Exchange>();
    const { port, close, transport } = await startEndpoint({
      answer: (_message, exchange) => {
        exchange.notifications.notify({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 'x'.repeat(12_000_000) },
        });
        taken.resolve(exchange);
        return never;
      },
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(post(['Host: localhost']));
    const exchange = await taken.promise;
    const outcome = new Promise<boolean>((resolve) => exchange.delivery.onSettled(resolve));
    await (closed === 'server' ? close() : transport.close());
    expect(await outcome).toBe(false);
    socket.destroy();
  });

  it('does not wait for a body that is still on its way', async () => {
    const entered = deferred();
    const { port, dispatcher, close } = await startEndpoint({
      prepare: (fastify) => void fastify.addHook('preParsing', async () => entered.resolve()),
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json');
    await entered.promise;
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await Promise.all([close(), once(socket, 'close')]);
    expect(text).toMatch(/^HTTP\/1\.1 503 /);
    expect(text).toContain('Server is shutting down');
    expect(dispatcher.requests).toEqual([]);
  });

  it.each([
    ['that has said nothing', ''],
    ['that has sent half a head', 'POST /mcp HTTP/1.1\r\nHost: loc'],
    [
      'whose refused body never ends',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nabc',
    ],
    ['of a stranger whose body never ends', 'POST /mcp HTTP/1.1\r\nHost: evil\r\nContent-Length: 100\r\n\r\nabc'],
    [
      'whose body stalls on another route',
      'POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc',
    ],
  ])('does not wait for a client %s', async (_case, text) => {
    const { port, fastify, close } = await startEndpoint({
      prepare: (app) => void app.post('/other', (_request, reply) => reply.send('never reached')),
    });
    const accepted = once(fastify.server, 'connection') as Promise<[net.Socket]>;
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(text);
    const [taken] = await accepted;
    while (taken.bytesRead < text.length) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([close(), once(taken, 'close')]);
    socket.destroy();
  });

  it('lets a request to another route end meanwhile', async () => {
    const entered = deferred();
    const ends = deferred();
    const { port, close } = await startEndpoint({
      prepare: (app) =>
        void app.get('/other', async () => {
          entered.resolve();
          await ends.promise;
          return 'in full';
        }),
    });
    const sending = send(port, { method: 'GET', path: '/other', body: '' });
    await entered.promise;
    const closing = close();
    ends.resolve();
    expect((await sending).text).toBe('in full');
    await closing;
  });

  it('may be asked twice, and of the transport alone, which then takes nothing more', async () => {
    const { port, transport, dispatcher } = await startEndpoint();
    const first = transport.close();
    expect(transport.close()).toBe(first);
    await first;
    const reply = await send(port);
    expect(reply.status).toBe(503);
    expect(reply.json).toEqual({ jsonrpc: '2.0', error: SHUTTING_DOWN.error });
    expect(dispatcher.requests).toEqual([]);
  });

  it('leaves no timer and no socket behind', async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const before = sockets();
    const taken = deferred();
    const timers = watchTimers();
    const { port, close } = await startEndpoint({
      answer: (_message, { notifications }) => {
        notifications.notify(progress(1));
        taken.resolve();
        return never;
      },
    });
    const { request, response } = await begin(port);
    await taken.promise;
    response.resume();
    await Promise.all([close(), once(response, 'end')]);
    if (!request.destroyed) await once(request, 'close');
    await new Promise((resolve) => setImmediate(resolve));
    timers.stop();
    expect(timers.started()).toBeGreaterThan(1);
    expect(timers.running()).toBe(0);
    expect(sockets()).toBeLessThanOrEqual(before);
  });
});

describe('a server that is closed and has time for it', () => {
  /** Longer than a test may take: what ends before has not waited for it. */
  const LONG = { noticeMs: 0, drainMs: 600_000 };

  it('lets a request in flight end, tells its client that the connection is over, and refuses what comes meanwhile', async () => {
    const taken = deferred<Exchange>();
    const finish = deferred();
    const { port, dispatcher, transport } = await startEndpoint({
      shutdown: LONG,
      answer: async (message, exchange) => {
        taken.resolve(exchange);
        await finish.promise;
        return complete(message, { ended: 'in full' });
      },
    });
    const sending = send(port, { headers: { connection: 'keep-alive' } });
    const { signal } = await taken.promise;
    const closing = transport.close();

    const refused = await send(port, { headers: { connection: 'keep-alive' } });
    expect({ status: refused.status, json: refused.json }).toEqual({ status: 503, json: { jsonrpc: '2.0', error: SHUTTING_DOWN.error } });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    expect(dispatcher.requests).toHaveLength(1);
    expect(signal.aborted).toBe(false);

    finish.resolve();
    const reply = await sending;
    expect(reply.json).toMatchObject({ id: 1, result: { ended: 'in full' } });
    expect(reply.headers.connection).toBe('close');
    await closing;
    expect(signal.aborted).toBe(false);
  });

  it('tells those to stop that have not ended in time', async () => {
    const taken = deferred<Exchange>();
    const { port, transport } = await startEndpoint({
      shutdown: { noticeMs: 0, drainMs: 20 },
      answer: (_message, exchange) => (taken.resolve(exchange), never),
    });
    const sending = send(port);
    const { signal } = await taken.promise;
    const start = performance.now();
    const closing = transport.close();
    expect(signal.aborted).toBe(false);
    expect(isShutdown((await aborted(signal), signal))).toBe(true);
    expect(performance.now() - start).toBeGreaterThanOrEqual(19);
    expect((await sending).json).toEqual(SHUTTING_DOWN);
    await closing;
  });

  it('ends a stream that only waits for news at once, and no other request for its sake', async () => {
    const listening = deferred<Exchange>();
    const working = deferred<Exchange>();
    const finish = deferred();
    const { port, transport } = await startEndpoint({
      shutdown: LONG,
      answer: async (message, exchange) => {
        if (message.method === 'subscriptions/listen') {
          listening.resolve(exchange);
          await aborted(exchange.signal);
          return complete(message);
        }
        working.resolve(exchange);
        await finish.promise;
        return complete(message);
      },
    });
    const [listen, work] = [send(port, { body: call(1, 'subscriptions/listen') }), send(port, { body: call(2) })];
    const [, { signal }] = await Promise.all([listening.promise, working.promise]);
    const closing = transport.close();
    expect((await listen).json).toMatchObject({ id: 1, result: {} });
    expect(signal.aborted).toBe(false);
    finish.resolve();
    expect((await work).json).toMatchObject({ id: 2, result: {} });
    await closing;
  });

  it('refuses a request whose body was on its way once it is there, in time for its client to read why', async () => {
    const entered = deferred();
    const { port, dispatcher, transport } = await startEndpoint({
      shutdown: { noticeMs: 60_000, drainMs: 0 },
      prepare: (fastify) => void fastify.addHook('preParsing', async () => entered.resolve()),
    });
    const text = post(['Host: localhost']).replace('Connection: close\r\n', '');
    const socket = net.connect(port, '127.0.0.1');
    socket.write(text.slice(0, -5));
    await entered.promise;
    const closing = transport.close();
    // Answered sooner, the connection could be gone before the client has sent the rest, and the answer with it.
    await turns();
    expect(socket.bytesRead).toBe(0);
    socket.write(text.slice(-5));
    const reply = Buffer.concat(await socket.toArray()).toString();
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(dispatcher.requests).toEqual([]);
    await closing;
  });

  it('goes on as long as new requests come, each of which is refused, and no longer than it may', async () => {
    const { port, transport } = await startEndpoint({ shutdown: { noticeMs: 3 * QUIET_MS, drainMs: 0 } });
    const start = performance.now();
    const end: { afterMs?: number } = {};
    const closing = transport.close().then(() => (end.afterMs = performance.now() - start));
    const statuses = new Set<number>();
    while (end.afterMs === undefined) statuses.add((await send(port)).status);
    expect([...statuses]).toEqual([503]);
    expect(await closing).toBeGreaterThan(2 * QUIET_MS);
  });

  it('answers a first request that comes on an open connection after the app has stopped listening', async () => {
    const { port, fastify } = await startEndpoint({ shutdown: { noticeMs: 60_000, drainMs: 0 } });
    const accepted = once(fastify.server, 'connection');
    const socket = net.connect(port, '127.0.0.1');
    await accepted;
    const closing = fastify.close();
    while (fastify.server.listening) await new Promise((resolve) => setImmediate(resolve));
    socket.write(post(['Host: localhost']));
    const reply = Buffer.concat(await socket.toArray()).toString();
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    await closing;
  });
});
