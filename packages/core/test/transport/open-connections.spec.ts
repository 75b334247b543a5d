import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { jest } from '@jest/globals';
import Fastify from 'fastify';
import type { FastifyInstance } from '../../src/transport/streamable-http/fastify.js';
import { OpenConnections } from '../../src/transport/streamable-http/open-connections.js';
import { registerStreamableHttp } from '../../src/transport/streamable-http/register-streamable-http.js';
import { deferred, until } from '../../../../test/support/flow.js';
import { StubDispatcher, watchTimers } from './http-harness.js';

/** Longer than a test may take: what ends before has not waited for it. */
const LONG_MS = 600_000;
const SHORT_MS = 10;

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A server whose connections are watched, and its port. */
async function watched<S extends Server>(server: S): Promise<{ connections: OpenConnections; server: S; port: number }> {
  const connections = new OpenConnections();
  connections.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return { connections, server, port: (server.address() as AddressInfo).port };
}

/** A client that sends `text` and no more, once the server has seen it; `closed` when the server has ended it. */
async function holdOpen(
  port: number,
  text: string,
  server: Server,
): Promise<{ closed: Promise<unknown>; received: () => string; write: (text: string) => void }> {
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  cleanups.push(() => socket.destroy());
  socket.on('error', () => {});
  const [taken] = await accepted;
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  const closed = once(taken, 'close');
  socket.write(text);
  while (taken.bytesRead < text.length) await new Promise((resolve) => setImmediate(resolve));
  return { closed, received: () => received, write: (more) => void socket.write(more) };
}

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n';

const PSK = Buffer.alloc(16, 1);
// A shared key in place of a certificate.
const SEALED: https.ServerOptions = { ciphers: 'PSK', maxVersion: 'TLSv1.2', pskCallback: () => PSK };

/** A client that asks over TLS. */
function connectSealed(port: number): tls.TLSSocket {
  const client = tls.connect({
    port,
    host: '127.0.0.1',
    ciphers: 'PSK',
    maxVersion: 'TLSv1.2',
    pskCallback: () => ({ psk: PSK, identity: 'client' }),
    checkServerIdentity: () => undefined,
  });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return client;
}

describe('the end of the connections of an app', () => {
  it.each([
    ['that has said nothing', ''],
    ['that has sent half a head', 'POST / HTTP/1.1\r\nHost: loc'],
    ['whose reply is sent, though its body never ends', `${HEAD}abc`],
    ['between two requests', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('closes at once one %s', async (_case, text) => {
    const replied = deferred();
    const { connections, server, port } = await watched(
      http.createServer((_request, reply) => {
        reply.once('close', () => replied.resolve());
        reply.end('no');
      }),
    );
    const { closed } = await holdOpen(port, text, server);
    if (text.includes('\r\n\r\n')) await replied.promise;

    connections.end(LONG_MS);

    await Promise.all([closed, connections.over()]);
  });

  it('lets a request in flight have its reply within the grace, then closes its connection', async () => {
    const entered = deferred<http.ServerResponse>();
    const { connections, port } = await watched(http.createServer((_request, reply) => entered.resolve(reply)));
    const agent = new http.Agent({ keepAlive: true });
    cleanups.push(() => agent.destroy());
    const response = once(http.get({ port, host: '127.0.0.1', agent }), 'response') as Promise<[http.IncomingMessage]>;
    const reply = await entered.promise;

    connections.end(LONG_MS);
    reply.end('in full');
    const [message] = await response;
    const chunks = await message.toArray();

    expect(Buffer.concat(chunks).toString()).toBe('in full');
    await connections.over();
  });

  it('cuts after the grace what is in flight still, such as a body that has stalled', async () => {
    const entered = deferred();
    const { connections, server, port } = await watched(
      http.createServer((request) => request.resume().once('data', () => entered.resolve())),
    );
    const { closed } = await holdOpen(port, `${HEAD}abc`, server);
    await entered.promise;

    connections.end(SHORT_MS);

    await Promise.all([closed, connections.over()]);
  });

  it('has patience with one that has said nothing yet, and none with one between two requests', async () => {
    const replied = deferred();
    const { connections, server, port } = await watched(
      http.createServer((_request, reply) => {
        reply.once('close', () => replied.resolve());
        reply.end('late, but heard');
      }),
    );
    const silent = await holdOpen(port, '', server);
    const idle = await holdOpen(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', server);
    await replied.promise;

    connections.end(LONG_MS, LONG_MS);
    await idle.closed;
    silent.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

    await Promise.all([silent.closed, connections.over()]);
    await until(() => silent.received().includes('late, but heard'), 'the reply has arrived');
  });

  it('loses patience with one that goes on to say nothing, before the grace of the others is over', async () => {
    const { connections, server, port } = await watched(http.createServer());
    const { closed } = await holdOpen(port, 'GET / HT', server);

    connections.end(LONG_MS, SHORT_MS);

    await Promise.all([closed, connections.over()]);
  });

  it('waits, within its bound, until no more connections come', async () => {
    const { connections, server, port } = await watched(http.createServer());
    const clients = Array.from({ length: 20 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
    cleanups.push(() => clients.forEach((client) => client.destroy()));
    let taken = 0;
    server.on('connection', () => (taken += 1));
    // All of them wait to be taken: none has had a turn of the event loop.
    expect(taken).toBe(0);

    await connections.quiet(LONG_MS);
    expect(taken).toBe(clients.length);

    let spinning = true;
    const more = (): void => void (spinning && server.emit('connection', new net.Socket()) && setImmediate(more));
    more();
    await connections.quiet(SHORT_MS);
    spinning = false;
  });

  it('takes none any more', async () => {
    const { connections, port } = await watched(http.createServer());
    connections.end(LONG_MS);
    const [refused] = (await once(net.connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];

    expect(refused.code).toBe('ECONNREFUSED');
  });

  it('leaves neither a listener nor a timer', async () => {
    const server = http.createServer((_request, reply) => reply.end());
    const events = ['connection', 'request', 'secureConnection'];
    const before = events.map((event) => server.listenerCount(event));
    const { connections, port } = await watched(server);
    await holdOpen(port, '', server);
    const timers = watchTimers();

    connections.end(LONG_MS);
    await connections.over();
    timers.stop();

    expect(timers.started()).toBe(1);
    expect(timers.running()).toBe(0);
    expect(events.map((event) => server.listenerCount(event))).toEqual(before);
  });

  it('leaves an upgraded connection to its protocol, for the grace', async () => {
    const upgraded = deferred<Duplex>();
    const server = http.createServer();
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      upgraded.resolve(socket);
    });
    const { connections, port } = await watched(server);
    const { closed, received } = await holdOpen(
      port,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      server,
    );
    const socket = await upgraded.promise;

    connections.end(200);
    socket.write('a last word');

    await Promise.all([closed, connections.over()]);
    expect(received()).toContain('a last word');
  });

  it('reaches what HTTP/2 and a TLS handshake have open', async () => {
    for (const create of [() => http2.createServer(), () => https.createServer()]) {
      const { connections, server, port } = await watched<Server>(create());
      const { closed } = await holdOpen(port, '', server);
      connections.end(SHORT_MS);
      await Promise.all([closed, connections.over()]);
    }
  });

  it('tells requests in flight from idle connections over TLS too', async () => {
    const entered = deferred<http.ServerResponse>();
    const { connections, port } = await watched(https.createServer(SEALED, (_request, reply) => entered.resolve(reply)));
    const client = connectSealed(port);
    const reply = await entered.promise;

    connections.end(LONG_MS);
    reply.end('in full');
    const received = Buffer.concat(await client.toArray()).toString();

    expect(received).toContain('in full');
    await connections.over();
  });
});

describe('a connection whose TLS handshake is under way as the app ends', () => {
  it('may still bring its first request', async () => {
    const { connections, server, port } = await watched(https.createServer(SEALED, (_request, reply) => reply.end('late, but heard')));
    const ended = once(server, 'connection').then(() => connections.end(LONG_MS, LONG_MS));
    let handshakes = 0;
    server.prependListener('secureConnection', () => (handshakes += 1));
    const client = connectSealed(port);
    await ended;
    expect(handshakes).toBe(0);

    const received = Buffer.concat(await client.toArray()).toString();

    expect(received).toContain('late, but heard');
    await connections.over();
  });
});

describe('an app that listens on two addresses of localhost', () => {
  it('leaves no connection of either behind', async () => {
    const { lookup } = dns;
    const both = [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ];
    const spy = jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) =>
        options.all ? done(null, both) : lookup(name, options as never, done as never)) as never);
    cleanups.push(() => spy.mockRestore());
    const fastify = Fastify() as unknown as FastifyInstance;
    const entered = deferred<net.Socket>();
    // Never replies.
    fastify.get('/', (request) => entered.resolve(request.raw.socket));
    registerStreamableHttp(fastify, { path: '/mcp', dispatcher: new StubDispatcher() });
    await fastify.listen({ port: 0, host: 'localhost' });
    const [first, second] = both.map(({ address }) => net.connect((fastify.server.address() as AddressInfo).port, address));
    for (const socket of [first!, second!]) socket.on('error', () => {});
    await once(first!, 'connect');
    second!.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const inFlight = await entered.promise;
    const ends = [first!, second!].map((socket) => once(socket, 'close'));
    // The idle one is not kept for the sake of the other.
    const cutTogether = ends[0]!.then(() => inFlight.destroyed);

    const closing = fastify.close();
    const { port } = fastify.server.address() as AddressInfo;
    await until(() => !fastify.server.listening, 'the app has stopped listening');
    const [refused] = (await once(net.connect(port, both[1]!.address), 'error')) as [NodeJS.ErrnoException];
    expect(refused.code).toBe('ECONNREFUSED');
    await closing;

    expect(inFlight.destroyed).toBe(true);
    expect(await cutTogether).toBe(false);
    await Promise.all(ends);
  });
});
