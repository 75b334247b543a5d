import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { BodyReader } from '../../src/transport/streamable-http/body-reader.js';
import type { Body } from '../../src/transport/streamable-http/body-reader.js';
import type { FastifyRequest } from '../../src/transport/streamable-http/fastify.js';
import { Refusals } from '../../src/transport/streamable-http/refusal.js';
import { watchTimers } from './http-harness.js';

/** The request of a body, from a client that is there or has left. */
const from = (hasLeft = false) => ({ raw: { socket: { destroyed: hasLeft } }, headers: {} }) as unknown as FastifyRequest;

/** A reader of one body; `body` settles with what it read, `calls` counts how often it said so. */
function read(limits: { maxBodyBytes?: number; timeoutMs?: number } = {}, request = from()) {
  const reader = new BodyReader({ maxBodyBytes: 10, timeoutMs: 60_000, ...limits });
  const payload = new PassThrough();
  payload.on('error', () => {});
  const calls: Body[] = [];
  const body = new Promise<Body>((resolve) => {
    reader.read(request, payload, (_error, outcome) => {
      calls.push(outcome);
      resolve(outcome);
    });
  });
  return { reader, payload, body, calls };
}

describe('a body', () => {
  it('that comes within its turn is read whole, in one piece or many, without a timer', async () => {
    const timers = watchTimers();
    for (const pieces of [[], ['abc'], ['a', 'b', 'c']]) {
      const { payload, body, calls } = read();
      for (const piece of pieces) payload.write(piece);
      payload.end();
      expect(await body).toEqual(Buffer.from(pieces.join('')));
      if (!payload.closed) await once(payload, 'close');
      expect(calls).toHaveLength(1);
    }
    timers.stop();
    expect({ started: timers.started(), running: timers.running() }).toEqual({ started: 0, running: 0 });
  });

  it('that takes longer has a timer until it is whole', async () => {
    const timers = watchTimers();
    const { payload, body } = read();
    payload.write('abc');
    await new Promise((resolve) => setImmediate(resolve));
    payload.end('def');
    expect(await body).toEqual(Buffer.from('abcdef'));
    timers.stop();
    expect({ started: timers.started(), running: timers.running() }).toEqual({ started: 1, running: 0 });
  });

  it('that does not come in time is refused, and its client cut off when as much time goes by again', async () => {
    const { payload, body, calls } = read({ timeoutMs: 5 });
    payload.write('abc');
    expect(await body).toBe(Refusals.BodyTimeout);
    await once(payload, 'close');
    expect(calls).toHaveLength(1);
  });

  it('that was refused for its size and never ends is cut off in time', async () => {
    const { payload, body, calls } = read({ timeoutMs: 5 });
    payload.write('x'.repeat(11));
    expect(await body).toBe(Refusals.BodyTooLarge);
    payload.write('y'.repeat(1000));
    await once(payload, 'close');
    expect(payload.destroyed).toBe(true);
    expect(calls).toHaveLength(1);
  });

  it.each([new Error('aborted'), undefined])('whose client leaves is given up (with the error %s)', async (error) => {
    const timers = watchTimers();
    const { payload, calls } = read({}, from(true));
    payload.write('abc');
    await new Promise((resolve) => setImmediate(resolve));
    payload.destroy(error);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual([]);
    timers.stop();
    expect({ started: timers.started(), running: timers.running() }).toEqual({ started: 1, running: 0 });
  });

  it.each([new Error('aborted'), undefined])('that breaks off is unreadable (with the error %s)', async (error) => {
    const { payload, body, calls } = read();
    payload.write('abc');
    payload.destroy(error);
    expect(await body).toBe(Refusals.BodyUnreadable);
    expect(calls).toHaveLength(1);
  });

  it('that is on its way when the server closes is refused, and one refused already is cut off', async () => {
    const coming = read();
    coming.payload.write('abc');
    coming.reader.close();
    expect(await coming.body).toBe(Refusals.ShuttingDown);
    const refused = read();
    refused.payload.write('x'.repeat(11));
    expect(await refused.body).toBe(Refusals.BodyTooLarge);
    refused.reader.close();
    expect(refused.payload.destroyed).toBe(true);
  });

  it('that begins after the server closed is refused at once', () => {
    const reader = new BodyReader({ maxBodyBytes: 10, timeoutMs: 60_000 });
    reader.close();
    const calls: unknown[] = [];
    const payload = new PassThrough();
    reader.read(from(), payload, (_error, body) => calls.push(body));
    expect(calls).toEqual([Refusals.ShuttingDown]);
    payload.destroy();
  });
});
