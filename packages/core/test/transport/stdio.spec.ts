import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Exchange, isShutdown, RequestAborted } from '../../src/dispatch/exchange.js';
import { deferred } from '../../../../test/support/flow.js';
import { call, complete, progress } from './http-harness.js';
import { request, StdioPair } from './stdio-harness.js';

const never = new Promise<never>(() => {});
const cancel = (requestId?: unknown, reason?: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason },
});

describe('messages on stdio', () => {
  it('are answered as their answers come, in any order', async () => {
    const first = deferred();
    const pair = new StdioPair(async (message) => {
      if (message.id === 1) await first.promise;
      return complete(message);
    });
    pair.send(request(1));
    pair.send(request(2));
    expect(await pair.message()).toMatchObject({ id: 2, result: {} });
    first.resolve();
    expect(await pair.message()).toMatchObject({ id: 1, result: {} });
  });

  it('need no routing headers, and show guards a request that has none', async () => {
    const taken = deferred<Exchange>();
    const pair = new StdioPair(async (message, exchange) => (taken.resolve(exchange), complete(message)));
    pair.send(request('a', 'tools/list'));
    const { headers, envelope, request: seen } = await taken.promise;
    expect({ headers, envelope }).toEqual({ headers: undefined, envelope: undefined });
    expect(seen).toMatchObject({ method: 'POST', url: '/mcp', headers: {}, ip: '127.0.0.1', body: request('a', 'tools/list') });
  });

  it.each([
    ['text that is no JSON', 'nonsense', -32700],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32700],
    ['an array', '[]', -32600],
    ['nesting beyond the limit', '['.repeat(100), -32600],
  ])('are refused without an id when a line is %s, and the next one is answered', async (_what, line, code) => {
    const pair = new StdioPair();
    pair.send(line);
    pair.send(request(1));
    const refusal = await pair.message();
    expect(refusal).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(refusal).not.toHaveProperty('id');
    expect(await pair.message()).toMatchObject({ id: 1, result: {} });
  });

  it('are refused once when a line is too long, whose rest is skipped', async () => {
    const pair = new StdioPair(undefined, { maxLineBytes: 250 });
    for (let part = 0; part < 5; part++) pair.send(Buffer.from('x'.repeat(60)));
    pair.send('"id":7}');
    pair.send(request(1));
    expect(await pair.message()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'Invalid request: a line is longer than 250 bytes' },
    });
    expect(await pair.message()).toMatchObject({ id: 1 });
    expect(pair.dispatcher.requests).toHaveLength(1);
  });

  it('may come in pieces, several at once, with blank lines and Windows line ends between them', async () => {
    const pair = new StdioPair(async (message) => complete(message, { echo: message.params }));
    const bytes = Buffer.from(`${JSON.stringify(request(1, 'm', { text: 'Grüße 🐝' }))}\r\n\r\n\n${JSON.stringify(request(2))}\n`);
    for (const byte of bytes) pair.send(Buffer.from([byte]));
    expect(await pair.message()).toMatchObject({ id: 1, result: { echo: { text: 'Grüße 🐝' } } });
    expect(await pair.message()).toMatchObject({ id: 2 });
  });

  it('keep one line each, whatever text is in them', async () => {
    const pair = new StdioPair(async (message) => complete(message, { text: 'a\nb\r\u2028c' }));
    pair.send(request(1));
    expect(JSON.parse(await pair.line())).toMatchObject({ result: { text: 'a\nb\r\u2028c' } });
  });

  it('are refused when their id is still in use, without the id, and the first is answered', async () => {
    const first = deferred();
    const pair = new StdioPair(async (message) => (await first.promise, complete(message)));
    pair.send(request(1));
    pair.send(request(1));
    const error = { code: -32600, message: 'Invalid request: the id 1 is in use' };
    expect(await pair.message()).toEqual({ jsonrpc: '2.0', error });
    first.resolve();
    expect(await pair.message()).toMatchObject({ id: 1, result: {} });
    pair.send(request(1));
    expect(await pair.message()).toMatchObject({ id: 1, result: {} });
  });

  it('are answered with an error when their result cannot be encoded', async () => {
    const pair = new StdioPair(async (message) => complete(message, { big: 1n }));
    pair.send(request(1));
    expect(await pair.message()).toMatchObject({ id: 1, error: { code: -32603 } });
  });

  it('report progress on the same output, ahead of their answer', async () => {
    const pair = new StdioPair(async (message, { notifications }) => {
      notifications.notify(progress(1));
      return complete(message);
    });
    pair.send(request(1));
    expect([await pair.message(), await pair.message()]).toMatchObject([progress(1), { id: 1 }]);
  });

  it('have reached the client when their line was written', async () => {
    const reached = deferred<boolean>();
    const pair = new StdioPair(async (message, { delivery }) => (delivery.onSettled(reached.resolve), complete(message)));
    pair.send(request(1));
    expect(await reached.promise).toBe(true);
  });
});

describe('a cancellation on stdio', () => {
  it('aborts that request of that connection alone, of which nothing more is sent', async () => {
    const taken = [deferred<Exchange>(), deferred<Exchange>()];
    const finish = deferred();
    const answer = (which: number) => async (message: any, exchange: Exchange) => {
      taken[which]!.resolve(exchange);
      await finish.promise;
      exchange.notifications.notify(progress(1));
      return complete(message);
    };
    const [one, other] = [new StdioPair(answer(0)), new StdioPair(answer(1))];
    one.send(request(1));
    other.send(request(1));
    const [exchange, untouched] = await Promise.all(taken.map(({ promise }) => promise));
    const delivered = new Promise((resolve) => exchange!.delivery.onSettled(resolve));
    one.send(cancel(1, 'changed my mind'));
    expect(await delivered).toBe(false);
    expect((exchange!.signal.reason as RequestAborted).abortCause).toBe('cancelled');
    expect(untouched!.signal.aborted).toBe(false);
    expect(one.cancelled).toEqual([[1, 'changed my mind']]);
    finish.resolve();
    expect([await other.message(), await other.message()]).toMatchObject([progress(1), { id: 1, result: {} }]);
    one.input.end();
    expect(await one.rest()).toEqual([]);
  });

  it.each([
    ['an unknown id', cancel(99)],
    ['no id', cancel()],
    ['an id of another type', cancel('1')],
    ['no params', { jsonrpc: '2.0', method: 'notifications/cancelled' }],
  ])('with %s is ignored', async (_what, notification) => {
    const finish = deferred();
    const pair = new StdioPair(async (message) => (await finish.promise, complete(message)));
    pair.send(request(1));
    pair.send(notification);
    pair.input.end();
    finish.resolve();
    expect(await pair.rest()).toMatchObject([{ id: 1, result: {} }]);
  });
});

describe('the end of the input', () => {
  it('lets what is in flight finish, a last line without its end included', async () => {
    const finish = deferred();
    const pair = new StdioPair(async (message) => (await finish.promise, complete(message)));
    pair.send(request(1));
    pair.input.end(JSON.stringify(request(2)));
    await once(pair.input, 'end');
    finish.resolve();
    expect(await pair.rest()).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });

  it('waits no longer than it may, and says why', async () => {
    const taken = deferred<Exchange>();
    const pair = new StdioPair((_message, exchange) => (taken.resolve(exchange), never), { drainMs: 1 });
    pair.send(request(1));
    pair.input.end();
    const { signal } = await taken.promise;
    expect(await pair.rest()).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Server is shutting down' } }]);
    expect(isShutdown(signal)).toBe(true);
  });

  it('ends subscriptions at once, which say their own last word', async () => {
    const pair = new StdioPair(async (message, { signal }) => {
      await once(signal, 'abort');
      return complete(message, { ended: true });
    });
    pair.send(request('s', 'subscriptions/listen'));
    pair.input.end();
    expect(await pair.rest()).toMatchObject([{ id: 's', result: { ended: true } }]);
  });
});

describe('closing a stdio connection', () => {
  it('answers what is open, takes nothing more, and is over once', async () => {
    const taken = deferred();
    const pair = new StdioPair(() => (taken.resolve(), never));
    pair.send(request(1));
    await taken.promise;
    const closed = pair.connection.close();
    expect(pair.connection.close()).toBe(closed);
    pair.send(request(2));
    await closed;
    expect(await pair.rest()).toMatchObject([{ id: 1, error: { message: 'Server is shutting down' } }]);
    expect(pair.dispatcher.requests).toHaveLength(1);
  });
});

describe('a reader that has stalled', () => {
  const narrow = (): PassThrough => new PassThrough({ writableHighWaterMark: 1, readableHighWaterMark: 1 });

  it('stops the reading of requests, misses old progress, and gets every answer', async () => {
    const taken = deferred<Exchange>();
    const finish = deferred();
    const answer = async (message: any, exchange: Exchange) => {
      if (message.id === 1) taken.resolve(exchange);
      await finish.promise;
      return complete(message);
    };
    const pair = new StdioPair(answer, {}, narrow());
    pair.send(request(1));
    const { notifications } = await taken.promise;
    for (let value = 1; value <= 1000; value++) notifications.notify(progress(value));
    expect(notifications.isStalled).toBe(true);
    expect(pair.input.isPaused()).toBe(true);
    const caughtUp = new Promise<void>((resolve) => notifications.onDrain!(resolve));
    expect([await pair.message(), await pair.message()]).toEqual([progress(1), progress(1000)]);
    await caughtUp;
    expect(pair.input.isPaused()).toBe(false);
    finish.resolve();
    expect(await pair.message()).toMatchObject({ id: 1, result: {} });
  });
});

describe('an output that is lost', () => {
  it('aborts what is in flight, delivers nothing, and ends the connection', async () => {
    const taken = deferred<Exchange>();
    const pair = new StdioPair((_message, exchange) => (taken.resolve(exchange), never));
    pair.send(request(1));
    const { signal, delivery } = await taken.promise;
    const delivered = new Promise((resolve) => delivery.onSettled(resolve));
    pair.output.destroy(new Error('EPIPE'));
    expect(await delivered).toBe(false);
    expect((signal.reason as RequestAborted).abortCause).toBe('disconnected');
    await pair.connection.done;
  });
});

describe('an older client that is not served on stdio', () => {
  it('is told the revisions that are, whether it names one or none', async () => {
    const pair = new StdioPair();
    pair.send(call(1, 'initialize', { protocolVersion: '2025-11-25' }));
    pair.send(call(2, 'tools/list'));
    expect(await pair.message()).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
    expect(await pair.message()).toMatchObject({ id: 2, error: { code: -32022, data: { supported: ['2026-07-28'] } } });
    expect(pair.dispatcher.requests).toEqual([]);
  });
});
