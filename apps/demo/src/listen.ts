import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CannotStartError } from './start-up.js';

/** The port or the host can't be had. */
export class CannotListenError extends CannotStartError {}

/**
 * Opens the app on `PORT` (default 3000; 0 is any free one) and `HOST` (default 127.0.0.1) and says where that is, as a URL.
 * @throws CannotListenError on a port that is none or is taken, and on a host that is not this machine's
 */
export async function listen(app: NestFastifyApplication, { PORT, HOST }: NodeJS.ProcessEnv): Promise<string> {
  // An empty variable is as good as none: with an empty host, Node would listen to the whole network.
  const port = portFrom(PORT || '3000');
  const host = HOST || '127.0.0.1';
  try {
    await app.listen(port, host);
  } catch (error) {
    throw cannotListen(error, { port, host });
  }
  const { port: actual } = app.getHttpServer().address() as AddressInfo;
  return urlOf(host, actual);
}

/** The same address as this machine reaches it: a wildcard address cannot be called. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The port that a text names. @throws CannotListenError when it names none */
export function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CannotListenError(`PORT is "${text}"; it must be a number from 0 to 65535.`);
}

/** Says why a server could not listen there, and what to do. */
export function cannotListen(error: unknown, where: { readonly port: number; readonly host: string }): CannotListenError {
  return new CannotListenError(reasonOf(error as NodeJS.ErrnoException, where), { cause: error });
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): string {
  if (code !== 'EADDRINUSE') return `Cannot listen on port ${port} of ${host}: ${message}`;
  return `Port ${port} of ${host} is in use. Stop the program that listens there, or choose another port: PORT=0 takes any free one.`;
}
