import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** A reason not to start that the person at the terminal can mend. */
export class CannotListenError extends Error {}

/**
 * Opens the app on `PORT` (default 3000; 0 is any free one) and `HOST` (default 127.0.0.1) and says where that is.
 * @throws CannotListenError on a port that is none or is taken, and on a host that is not this machine's
 */
export async function listen(app: NestFastifyApplication, env: NodeJS.ProcessEnv): Promise<string> {
  const port = portFrom(env['PORT']);
  const host = env['HOST'] ?? '127.0.0.1';
  try {
    await app.listen(port, host);
  } catch (error) {
    throw new CannotListenError(reasonOf(error as NodeJS.ErrnoException, { port, host }), { cause: error });
  }
  const { port: actual } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): string {
  if (code !== 'EADDRINUSE') return `Cannot listen on port ${port} of ${host}: ${message}`;
  return `Port ${port} of ${host} is in use. Stop what listens there, or choose another one: PORT=0 takes any that is free.`;
}

function portFrom(text = '3000'): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CannotListenError(`PORT is "${text}"; it has to be a number from 0 to 65535.`);
}
