import { once } from 'node:events';
import net from 'node:net';
import { type Exchange, RequestAborted } from '../../src/dispatch/exchange.js';
import type { NotificationMessage } from '../../src/protocol/messages.js';
import { deferred } from '../../../../test/support/flow.js';
import { Frames, begin, closeEndpoints, complete, post, progress, send, startEndpoint, watchTimers } from './http-harness.js';

afterEach(closeEndpoints);

/** An endpoint whose method hands its exchange out and answers when it is told to. */
async function held(options: Parameters<typeof startEndpoint>[0] = {}) {
  const taken = deferred<Exchange>();
  const release = deferred();
  const endpoint = await startEndpoint({
    ...options,
    answer: async (message, exchange) => {
      taken.resolve(exchange);
      await release.promise;
      return complete(message);
    },
  });
  return { ...endpoint, taken: taken.promise, release: () => release.resolve() };
}

const settled = (exchange: Exchange): Promise<boolean> => new Promise((resolve) => exchange.delivery.onSettled(resolve));
const aborted = async ({ signal }: Exchange): Promise<unknown> => (signal.aborted || (await once(signal, 'abort')), signal.reason);

describe('a stream', () => {
  it('delivers notifications as they are said, before the response, which is the last event', async () => {
    const { port, taken, release } = await held();
    const opening = begin(port);
    const exchange = await taken;
    exchange.notifications.notify(progress(1));
    const { response } = await opening;
    const frames = new Frames(response);
    expect(await frames.message()).toEqual(progress(1));
    exchange.notifications.notify(progress(2));
    expect(await frames.message()).toEqual(progress(2));
    release();
    expect(await frames.rest()).toEqual([{ jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } }]);
  });

  it('says nothing after its response', async () => {
    const { port, taken, release } = await held();
    const opening = begin(port);
    const exchange = await taken;
    exchange.notifications.notify(progress(1));
    const frames = new Frames((await opening).response);
    release();
    await settled(exchange);
    exchange.notifications.notify(progress(2));
    expect(await frames.rest()).toHaveLength(2);
  });

  it('is not opened by what is said after the answer', async () => {
    const { port, taken, release } = await held();
    const sending = send(port);
    const exchange = await taken;
    release();
    expect((await sending).headers['content-type']).toContain('application/json');
    expect(await settled(exchange)).toBe(true);
    exchange.notifications.notify(progress(1));
  });

  it('keeps every error in the stream, with status 200', async () => {
    const { port } = await startEndpoint({
      answer: async (message, { notifications }) => {
        notifications.notify(progress(1));
        return { status: 404, message: { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'x' } } };
      },
    });
    const { response } = await begin(port);
    expect(response.statusCode).toBe(200);
    expect((await new Frames(response).rest()).at(-1)).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it('holds one line per message, whatever is in it, and no event id', async () => {
    const text = 'a\nb\r\n\ndata: x\u2028\u2029';
    const { port } = await startEndpoint({
      answer: async (message, { notifications }) => {
        notifications.notify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } });
        return complete(message, { text });
      },
    });
    const reply = await send(port);
    expect(reply.text.split('\n\n')).toHaveLength(3);
    expect(reply.text).not.toMatch(/^id:/m);
    expect(reply.text.split('\n').filter((line) => !/^(event: message|data: [^\r]*|)$/u.test(line))).toEqual([]);
  });

  it('is kept open by comment lines', async () => {
    const { port, taken, release } = await held({ limits: { heartbeatMs: 5 } });
    const opening = begin(port);
    (await taken).notifications.notify(progress(1));
    const frames = new Frames((await opening).response);
    await frames.next();
    expect(await frames.next()).toBe(': keepalive');
    expect(await frames.next()).toBe(': keepalive');
    release();
    expect((await frames.rest()).at(-1)).toMatchObject({ id: 1 });
  });

  it.each([true, false])('leaves no timer behind (ended: %s, otherwise cut)', async (ended) => {
    const { port, taken, release } = await held();
    const timers = watchTimers();
    const opening = begin(port);
    const exchange = await taken;
    exchange.notifications.notify(progress(1));
    const { request, response } = await opening;
    expect(timers.running()).toBe(1);
    response.on('error', () => {}).resume();
    if (ended) release();
    else request.destroy();
    expect(await settled(exchange)).toBe(ended);
    timers.stop();
    expect(timers.started()).toBe(1);
    expect(timers.running()).toBe(0);
    release();
  });
});

describe('a client that leaves', () => {
  it.each([true, false])('before the reply aborts the work and gets nothing more (streaming: %s)', async (streaming) => {
    const { port, taken, release, dispatcher } = await held();
    const socket = net.connect(port, '127.0.0.1');
    socket.write(post(['Host: localhost']));
    const exchange = await taken;
    if (streaming) exchange.notifications.notify(progress(1));
    if (streaming) await once(socket, 'data');
    expect(exchange.signal.aborted).toBe(false);
    socket.destroy();
    const reason = await aborted(exchange);
    expect(reason).toBeInstanceOf(RequestAborted);
    expect(reason).toMatchObject({ name: 'AbortError', abortCause: 'disconnected' });
    expect(await settled(exchange)).toBe(false);
    exchange.notifications.notify(progress(2));
    release();
    // The server is well: it serves the next one.
    expect((await send(port)).status).toBe(200);
    expect(dispatcher.faults).toEqual([]);
  });

  it('before the signal was ever asked for finds it aborted then', async () => {
    const { port, taken, release } = await held();
    const socket = net.connect(port, '127.0.0.1');
    socket.write(post(['Host: localhost']));
    const exchange = await taken;
    const lost = settled(exchange);
    socket.destroy();
    expect(await lost).toBe(false);
    expect(exchange.signal.aborted).toBe(true);
    expect(exchange.signal.reason).toMatchObject({ abortCause: 'disconnected' });
    release();
  });

  it('after the reply aborts nothing', async () => {
    const { port, taken, release } = await held();
    const sending = send(port);
    const exchange = await taken;
    release();
    await sending;
    expect(await settled(exchange)).toBe(true);
    expect(exchange.signal.aborted).toBe(false);
  });

  it('while a hook of the app takes its time is never dispatched', async () => {
    const entered = deferred();
    const gone = deferred();
    const { port, dispatcher } = await startEndpoint({
      prepare: (fastify) =>
        void fastify.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-leaver'] === undefined) return;
          entered.resolve();
          await once(reply.raw, 'close');
          gone.resolve();
        }),
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write(post(['Host: localhost', 'X-Leaver: 1']));
    await entered.promise;
    socket.destroy();
    await gone.promise;
    expect((await send(port)).status).toBe(200);
    expect(dispatcher.requests).toHaveLength(1);
  });
});

describe('a dispatcher that breaks its promise and rejects', () => {
  it.each([true, false])('costs its request the connection, and no other (streaming: %s)', async (streaming) => {
    const { port, dispatcher } = await startEndpoint({
      answer: async (_message, { notifications }) => {
        if (streaming) notifications.notify(progress(1));
        queueMicrotask(() => queueMicrotask(() => notifications.notify(progress(2))));
        throw new Error('broken');
      },
    });
    await expect(send(port)).rejects.toThrow(/hang up|aborted/);
    dispatcher.answer = async (message) => complete(message);
    expect((await send(port)).status).toBe(200);
  });
});

describe('delivery', () => {
  it.each([true, false])('settles true when the reply was handed over whole (streaming: %s), for late listeners too', async (streaming) => {
    const { port, taken, release } = await held();
    const sending = send(port);
    const exchange = await taken;
    const heard: boolean[] = [];
    exchange.delivery.onSettled((reached) => heard.push(reached));
    if (streaming) exchange.notifications.notify(progress(1));
    expect(heard).toEqual([]);
    release();
    await sending;
    expect(await settled(exchange)).toBe(true);
    expect(heard).toEqual([true]);
  });

  it('settles false when the connection is lost with the reply half-written', async () => {
    const started = deferred<Exchange>();
    const { port } = await startEndpoint({
      answer: async (message, exchange) => {
        started.resolve(exchange);
        return complete(message, { text: 'x'.repeat(30_000_000) });
      },
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write(post(['Host: localhost']));
    const exchange = await started.promise;
    await once(socket, 'readable');
    const outcome = settled(exchange);
    socket.destroy();
    expect(await outcome).toBe(false);
  });
});

describe('a reader that stalls', () => {
  const message = (text: string): NotificationMessage => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: text },
  });

  it('does not make the server buffer: it finds the latest progress, every other word once, and the response', async () => {
    const { port, taken, release, fastify } = await held();
    const socket = net.connect(port, '127.0.0.1');
    socket.pause();
    socket.write(post(['Host: localhost']));
    const exchange = await taken;
    const { raw: response } = (exchange as unknown as { reply: { raw: import('node:http').ServerResponse } }).reply;
    // Fill the socket with one large word, so that the next ones stall.
    exchange.notifications.notify(message('x'.repeat(12_000_000)));
    expect(response.writableNeedDrain).toBe(true);
    const full = response.writableLength;
    exchange.notifications.notify(message('first'));
    for (let value = 1; value <= 50_000; value++) exchange.notifications.notify(progress(value));
    exchange.notifications.notify(message('second'));
    exchange.notifications.notify(message('first'));
    expect(response.writableLength).toBe(full);
    release();
    let text = '';
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .resume();
    await once(socket, 'end');
    const words = [...text.matchAll(/data: (\{.{0,200}?\})\n/g)].map((match) => JSON.parse(match[1] as string));
    expect(words).toEqual([
      progress(50_000),
      message('second'),
      message('first'),
      { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } },
    ]);
    expect(fastify.server.listening).toBe(true);
  });

  it('reads on after it drained, in order', async () => {
    const { port, taken, release } = await held();
    const opening = begin(port);
    const exchange = await taken;
    exchange.notifications.notify(message('x'.repeat(1_000_000)));
    exchange.notifications.notify(progress(1));
    exchange.notifications.notify(progress(2));
    const { response } = await opening;
    const frames = new Frames(response);
    expect((await frames.message()).params.data).toHaveLength(1_000_000);
    expect(await frames.message()).toEqual(progress(2));
    exchange.notifications.notify(progress(3));
    expect(await frames.message()).toEqual(progress(3));
    release();
    expect(await frames.rest()).toHaveLength(1);
  });

  it('costs a few hundred words at most', async () => {
    const { port, taken, release } = await held();
    const opening = begin(port);
    const exchange = await taken;
    exchange.notifications.notify(message('x'.repeat(1_000_000)));
    for (let index = 0; index < 1_000; index++) exchange.notifications.notify(message(`word ${index}`));
    const { response } = await opening;
    const frames = new Frames(response);
    release();
    const messages = await frames.rest();
    expect(messages.length).toBe(1 + 256 + 1);
    expect(messages.at(-2)).toEqual(message('word 999'));
  });
});
