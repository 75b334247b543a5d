import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A node behind the proxy. */
export interface Upstream {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** A proxy that passes each request to the next node in turn. */
export interface RoundRobinProxy {
  /** `http://127.0.0.1:port`, without a path. */
  readonly origin: string;
  /** Ends it, open streams included. */
  close(): Promise<void>;
}

/** Names the node that answered. */
export const SERVED_BY = 'x-served-by';

/**
 * Listens on the loopback interface. What a node streams is passed on as it comes; a node where nobody listens is skipped. A request of
 * which a node has seen a part is not sent to another, as it may have been carried out: it is answered 502. Without any node: 503.
 * @param port 0 takes any that is free
 */
export async function startRoundRobinProxy(upstreams: readonly Upstream[], port = 0): Promise<RoundRobinProxy> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const first = turn++ % upstreams.length;
    void pass({ incoming, outgoing }, [...upstreams.slice(first), ...upstreams.slice(0, first)]);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function pass(exchange: Exchange, upstreams: readonly Upstream[]): Promise<void> {
  for (const upstream of upstreams) {
    const socket = await connected(upstream);
    if (socket) return forward(exchange, { socket, name: upstream.name });
  }
  exchange.outgoing.writeHead(503, { 'Retry-After': '1' }).end('No node answers.\n');
}

/** The connection is made before anything of the request is read: a refused one costs nothing, and the next node can be asked. */
async function connected({ host, port }: Upstream): Promise<Socket | undefined> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
}

function forward({ incoming, outgoing }: Exchange, { socket, name }: { readonly socket: Socket; readonly name: string }): void {
  const { method, url } = incoming;
  const upstream = request({ createConnection: () => socket, method, path: url, headers: endToEnd(incoming.headers) });
  upstream.once('response', (response) => {
    outgoing.writeHead(response.statusCode!, { ...endToEnd(response.headers), [SERVED_BY]: name });
    outgoing.flushHeaders();
    // A node that dies in the middle cuts the client's stream off: the client must not take it for the end.
    pipeline(response, outgoing, () => undefined);
  });
  upstream.once('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { [SERVED_BY]: name }).end(`Node ${name} did not answer.\n`);
  });
  outgoing.once('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

/** Without what concerns one connection alone. */
function endToEnd({ connection: _connection, 'keep-alive': _keepAlive, ...headers }: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return headers;
}
