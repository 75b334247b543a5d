import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { randomInt } from 'node:crypto';

// Below the ports that Linux, macOS and Windows give to connections and to `listen(0)`: nobody is handed one of these between our look and a server's bind,
// nor while a server that keeps its port is down.
const FIRST = 15_000;
const LAST = 29_999;
const ATTEMPTS = 50;

/** A port of the loopback interface that was free a moment ago, and that the system gives to nobody who does not name it. Rejects when 50 of them are taken. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port found between ${FIRST} and ${LAST} in ${ATTEMPTS} attempts`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await closed(server);
  return true;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
