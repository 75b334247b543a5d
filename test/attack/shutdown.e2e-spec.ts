import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startServer } from '../support/server-process.mjs';

const DEADLINE_MS = 5000;

/** What a client may have sent when the server is told to end. */
const HELD: readonly (readonly [string, string])[] = [
  ['has said nothing', ''],
  ['has sent half a request head', 'POST /mcp HTTP/1.1\r\nHost: 127'],
  ['never sends the body of a refused request', head({ host: '127.0.0.1', 'content-type': 'text/plain', 'content-length': '100' })],
];

describe('a server that is told to end', () => {
  it.each(HELD)(
    'ends cleanly within five seconds, though a client %s',
    async (_, sent) => {
      const server = await startServer('apps/demo/src/main.ts');
      const socket = await hold(server.url, sent);

      const ending = await Promise.race([
        server.stop(),
        new Promise((resolve) => setTimeout(resolve, DEADLINE_MS, 'still running').unref()),
      ]);
      socket.destroy();

      expect(ending).toEqual({ code: 0, signal: null });
    },
    30_000,
  );
});

async function hold(url: string, sent: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  // Connections are taken in the order in which they come: once a later one is answered, the server has this one.
  await answered(url);
  return socket;
}

/** Asks over a connection of its own, and waits for the whole answer. */
async function answered(url: string): Promise<void> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
}

function head(headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['POST /mcp HTTP/1.1', ...lines, '', 'abc'].join('\r\n');
}
