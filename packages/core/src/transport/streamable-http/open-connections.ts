import { Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import { RETRY_AFTER_S } from './refusal.js';

/** State of a connection on which requests can be told apart. */
interface Use {
  /** Replies under way. */
  replies: number;
  /** Whether it has carried a request. */
  isUsed: boolean;
  /** Called when a reply is over. */
  readonly replied: () => void;
}

/**
 * The connections of an app, so that its shutdown does not wait for silent ones. Node's own `close` ends those between
 * two requests, and waits without a limit for one that has sent nothing yet, half of a head, or the head of a request
 * whose body never comes. After `end`, connections between two requests are closed at once. Those that never carried a
 * request get some patience, in which the first may arrive. Each of the others is closed after its reply, and the
 * remaining ones are closed after the grace. No new connection is accepted. Only the connections themselves keep the
 * timers alive.
 */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  private readonly uses = new Map<Socket, Use>();
  private readonly unwatch: (() => void)[] = [];
  private readonly servers = new Set<Server>();
  private taken = 0;
  private isRefusing = false;
  private ending = false;
  private patience: NodeJS.Timeout | undefined;
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
    if (whole || sealed) this.on(server, 'request', this.enter);
  }

  /**
   * Makes Fastify answer every request with 503, and adds when to retry. (If Fastify was configured to continue, this
   * has no effect.)
   */
  refuse(): void {
    this.isRefusing = true;
  }

  /**
   * Resolves once a turn of the event loop has brought no connection, at the latest after `ms`: a closing listener
   * resets connections that wait for it.
   */
  async quiet(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    for (let before = -1; before !== this.taken && performance.now() < deadline; await aTurn()) before = this.taken;
  }

  /**
   * Stops to listen and ends every connection: those with a request in flight `graceMs` later at the latest, those that never carried one `patienceMs`
   * later.
   */
  end(graceMs: number, patienceMs = 0): void {
    if (this.ending) return;
    this.ending = true;
    // The app would do so later, by when others may wait to be taken.
    for (const server of this.servers) if (server.listening) server.close();
    if (this.sockets.size > 0) this.grace = setTimeout(() => this.cut(), graceMs);
    if (this.upgradesSome()) return;
    this.closeIdle(({ isUsed }) => isUsed || patienceMs === 0);
    if (patienceMs > 0 && this.sockets.size > 0) this.patience = setTimeout(() => this.closeIdle(() => true), patienceMs);
  }

  /** Resolves when no connection is left, and with it no listener and no timer. */
  async over(): Promise<void> {
    if (this.sockets.size > 0) await new Promise<void>((resolve) => (this.onOver = resolve));
    for (const off of this.unwatch.splice(0)) off();
  }

  // Upgraded connections cannot be told from idle ones; their protocol must end them. Asked of the app's own server alone: Fastify passes on to it
  // what reaches the others.
  private upgradesSome(): boolean {
    const [first] = this.servers;
    return first !== undefined && first.listenerCount('upgrade') + first.listenerCount('connect') > 0;
  }

  private closeIdle(which: (use: Use) => boolean): void {
    for (const [socket, use] of this.uses) if (use.replies === 0 && which(use)) socket.destroySoon();
  }

  // Ahead of the app, which may have replied when its own listener returns.
  private on(server: Server, event: string, listener: (...args: never[]) => void): void {
    const heard = listener as (...args: unknown[]) => void;
    server.prependListener(event, heard);
    this.unwatch.push(() => server.off(event, heard));
  }

  private take(socket: Socket, tellsRequests: boolean): void {
    // After the listener: one whose TLS handshake has just ended.
    if (this.ending && this.patience === undefined) return void socket.destroy();
    this.taken += 1;
    this.sockets.add(socket);
    if (tellsRequests) this.uses.set(socket, this.useOf(socket));
    socket.once('close', () => this.drop(socket));
  }

  private useOf(socket: Socket): Use {
    const use: Use = {
      replies: 0,
      isUsed: false,
      replied: () => {
        use.replies -= 1;
        // After the reply nothing of the request matters any more, not even the rest of its body.
        if (use.replies === 0 && this.ending) socket.destroySoon();
      },
    };
    return use;
  }

  private readonly enter = ({ socket }: IncomingMessage, reply: ServerResponse): void => {
    if (this.isRefusing) reply.setHeader('retry-after', RETRY_AFTER_S);
    const use = this.uses.get(socket);
    if (use === undefined) return;
    use.replies += 1;
    use.isUsed = true;
    reply.on('close', use.replied);
  };

  private drop(socket: Socket): void {
    this.uses.delete(socket);
    this.sockets.delete(socket);
    if (this.sockets.size > 0) return;
    clearTimeout(this.patience);
    clearTimeout(this.grace);
    this.onOver?.();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
