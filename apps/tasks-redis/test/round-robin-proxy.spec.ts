import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRoundRobinProxy, type RoundRobinProxy, type Upstream } from '../src/two-nodes/round-robin-proxy.js';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function upstream(
  name: string,
  answer: RequestListener = (_request, response) => response.end(name),
): Promise<Upstream & { server: Server }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => end(server));
  return { name, server, host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server.close(), 'close');
  server.closeAllConnections();
  await closed;
}

async function proxyBefore(...upstreams: Upstream[]): Promise<RoundRobinProxy> {
  const proxy = await startRoundRobinProxy(upstreams);
  opened.push(() => proxy.close());
  return proxy;
}

async function texts(origin: string, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let request = 0; request < count; request++) found.push(await (await fetch(origin)).text());
  return found;
}

describe('the round-robin proxy', () => {
  it('passes each request to the next node, and says which answered', async () => {
    const { origin } = await proxyBefore(await upstream('a'), await upstream('b'));
    expect(await texts(origin, 4)).toEqual(['a', 'b', 'a', 'b']);
    expect((await fetch(origin)).headers.get('x-served-by')).toBe('a');
  });

  it('passes method, path, headers and body on, and status, headers and body back', async () => {
    const { origin } = await proxyBefore(
      await upstream('a', (request, response) => {
        response.writeHead(418, { 'X-Path': `${request.method} ${request.url} ${String(request.headers['x-test'])}` });
        request.pipe(response);
      }),
    );
    const response = await fetch(`${origin}/mcp?x=1`, { method: 'POST', headers: { 'X-Test': 'yes' }, body: 'question' });
    expect([response.status, response.headers.get('x-path'), await response.text()]).toEqual([418, 'POST /mcp?x=1 yes', 'question']);
  });

  it('skips a node where nobody listens', async () => {
    const [a, b] = [await upstream('a'), await upstream('b')];
    const { origin } = await proxyBefore(a, b);
    await end(a.server);
    expect(await texts(origin, 3)).toEqual(['b', 'b', 'b']);
  });

  it('answers 503 when no node listens', async () => {
    const a = await upstream('a');
    const { origin } = await proxyBefore(a);
    await end(a.server);
    const { status, headers } = await fetch(origin);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('answers 502, and asks no other node, when the node dies before it answers', async () => {
    let asked = 0;
    const dies: RequestListener = (request) => void request.socket.destroy();
    const { origin } = await proxyBefore(
      await upstream('a', (request, response) => {
        asked += 1;
        dies(request, response);
      }),
      await upstream('b', (_request, response) => {
        asked += 1;
        response.end();
      }),
    );
    expect([(await fetch(origin)).status, asked]).toEqual([502, 1]);
  });

  it('passes a stream on piece by piece, and cuts it off when the node dies', async () => {
    const nodes: ServerResponse[] = [];
    const { origin } = await proxyBefore(
      await upstream('a', (_request, response) => {
        nodes.push(response);
        response.write('one');
      }),
    );
    const got = once(get(origin), 'response');
    const [response] = (await got) as [IncomingMessage];
    response.setEncoding('utf8');
    expect(await once(response, 'data')).toEqual(['one']);
    nodes[0]!.write('two');
    expect(await once(response, 'data')).toEqual(['two']);
    const cut = once(response, 'error');
    nodes[0]!.destroy();
    expect(await cut).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it.each(['before the answer', 'in the middle of it'])('tells the node when the client leaves %s', async (when) => {
    const reached = new EventEmitter();
    const asked = once(reached, 'asked');
    const left = once(reached, 'left');
    const { origin } = await proxyBefore(
      await upstream('a', (_request, response) => {
        response.once('close', () => reached.emit('left'));
        if (when === 'in the middle of it') response.write('one');
        reached.emit('asked');
      }),
    );
    const request = get(origin).on('error', () => undefined);
    if (when === 'in the middle of it') await once(request, 'response');
    await asked;
    request.destroy();
    await left;
  });
});
