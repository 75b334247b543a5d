import { Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';

/**
 * The connections of an app, so that its end waits for none that stays silent. Node's own `close` ends those between two requests, and waits
 * without a limit for one that has sent nothing yet, half of a head, or the head of a request whose body never comes.
 *
 * After `end` no connection is taken any more. Those without a request in flight are closed at once, each of the others after its reply, and
 * whoever is left after the grace is cut. Nothing but the connections themselves keeps the grace's timer.
 */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  /** Replies under way, for each connection on which they can be told. */
  private readonly inFlight = new Map<Socket, number>();
  private readonly unwatch: (() => void)[] = [];
  private readonly servers = new Set<Server>();
  private ending = false;
  private grace: NodeJS.Timeout | undefined;
  private onOver: (() => void) | undefined;

  /** Follows the connections of `server`, the app's own first; once, however often it is given. */
  watch(server: Server): void {
    if (this.servers.has(server)) return;
    this.servers.add(server);
    // HTTP/2 has many requests on one connection and hands out a stand-in for its socket: there nothing is known but that it is open.
    const whole = server instanceof HttpServer;
    const sealed = server instanceof HttpsServer;
    this.on(server, 'connection', (socket: Socket) => this.take(socket, whole));
    if (sealed) this.on(server, 'secureConnection', (socket: Socket) => this.take(socket, true));
    if (whole || sealed) this.on(server, 'request', ({ socket }: IncomingMessage, reply: ServerResponse) => this.enter(socket, reply));
  }

  /** Ends every connection, those with a request in flight `graceMs` later at the latest. */
  end(graceMs: number): void {
    if (this.ending) return;
    this.ending = true;
    if (!this.upgradesSome()) for (const [socket, replies] of this.inFlight) if (replies === 0) socket.destroySoon();
    if (this.sockets.size > 0) this.grace = setTimeout(() => this.cut(), graceMs);
  }

  /** Resolves when none is left, and with it no listener and no timer. */
  async over(): Promise<void> {
    if (this.sockets.size > 0) await new Promise<void>((resolve) => (this.onOver = resolve));
    for (const off of this.unwatch.splice(0)) off();
  }

  // Upgraded connections are not told from idle ones, and are their protocol's to end. Asked of the app's own server alone: Fastify passes on to it
  // what reaches the others.
  private upgradesSome(): boolean {
    const [first] = this.servers;
    return first !== undefined && first.listenerCount('upgrade') + first.listenerCount('connect') > 0;
  }

  private on(server: Server, event: string, listener: (...args: never[]) => void): void {
    const heard = listener as (...args: unknown[]) => void;
    server.on(event, heard);
    this.unwatch.push(() => server.off(event, heard));
  }

  private take(socket: Socket, tellsRequests: boolean): void {
    if (this.ending) return void socket.destroy();
    this.sockets.add(socket);
    if (tellsRequests) this.inFlight.set(socket, 0);
    socket.once('close', () => this.drop(socket));
  }

  private enter(socket: Socket, reply: ServerResponse): void {
    this.count(socket, 1);
    reply.once('close', () => {
      // After the reply nothing of the request matters any more, not even the rest of its body.
      if (this.count(socket, -1) === 0 && this.ending) socket.destroySoon();
    });
  }

  private count(socket: Socket, change: 1 | -1): number | undefined {
    const replies = this.inFlight.get(socket);
    if (replies === undefined) return undefined;
    this.inFlight.set(socket, replies + change);
    return replies + change;
  }

  private drop(socket: Socket): void {
    this.inFlight.delete(socket);
    this.sockets.delete(socket);
    if (this.sockets.size > 0) return;
    clearTimeout(this.grace);
    this.onOver?.();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
