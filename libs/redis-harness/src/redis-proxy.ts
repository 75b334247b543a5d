import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ProxiedConnection } from './proxied-connection.js';
import { LastingFault, RequestCut, type ProxyFault, type ProxyFaults, type RequestCutOptions } from './proxy-fault.js';

/** A TCP proxy in front of a Redis, which does to connections what a network does. Each fault counts how often it happened. */
export interface RedisProxy {
  readonly port: number;
  readonly url: string;
  /** Breaks the connection instead of forwarding the request, once the requests before it are answered: Redis never sees it. */
  cutBefore(options: RequestCutOptions): ProxyFault;
  /** Forwards the request and breaks the connection instead of passing its reply back: Redis has carried it out. Refusals are passed on and do not count. */
  loseReply(options: RequestCutOptions): ProxyFault;
  /** Holds up everything in both directions until the fault ends. It counts the requests that wait, which then arrive. */
  stall(): ProxyFault;
  /** Swallows published messages, while subscribing and all else works, until the fault ends. It counts the messages. */
  muteMessages(): ProxyFault;
  /** Breaks the connections that have subscribed to a channel, and returns their number. */
  dropSubscribers(): number;
  /** Breaks all connections, and returns their number. */
  dropAll(): number;
  /** From now on new connections lead to the Redis on that port. Those there are stay, until `dropAll` breaks them. */
  retarget(port: number): void;
  /** Breaks all connections and listens no more. */
  stop(): Promise<void>;
}

/** Starts a proxy on a free loopback port, in front of the Redis on `port` of the same interface. It speaks RESP 2 and 3 without TLS. */
export async function startRedisProxy(port: number): Promise<RedisProxy> {
  const proxy = new Proxying(port);
  const server = createServer((client) => proxy.accept(new ProxiedConnection(client, proxy.target, proxy.faults), client)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const closed = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return Object.assign(proxy, {
    port: own,
    url: `redis://127.0.0.1:${own}`,
    stop: async () => {
      const ended = closed();
      proxy.dropAll();
      await ended;
    },
  });
}

class Proxying {
  readonly faults: ProxyFaults = { cuts: [] };
  private readonly connections = new Set<ProxiedConnection>();

  constructor(public target: number) {}

  accept(connection: ProxiedConnection, client: { once(event: 'close', listener: () => void): unknown }): void {
    this.connections.add(connection);
    client.once('close', () => this.connections.delete(connection));
  }

  cutBefore(options: RequestCutOptions): ProxyFault {
    return this.cut('before', options);
  }

  loseReply(options: RequestCutOptions): ProxyFault {
    return this.cut('after', options);
  }

  stall(): ProxyFault {
    const stall = new LastingFault(() => {
      if (this.faults.stall !== stall) return;
      this.faults.stall = undefined;
      for (const connection of this.connections) connection.release();
    });
    return (this.faults.stall = stall);
  }

  muteMessages(): ProxyFault {
    const mute = new LastingFault(() => {
      if (this.faults.mute === mute) this.faults.mute = undefined;
    });
    return (this.faults.mute = mute);
  }

  dropSubscribers(): number {
    return this.drop((connection) => connection.isSubscriber);
  }

  dropAll(): number {
    return this.drop(() => true);
  }

  retarget(port: number): void {
    this.target = port;
  }

  private cut(moment: 'before' | 'after', options: RequestCutOptions): ProxyFault {
    const cut = new RequestCut(moment, options);
    this.faults.cuts.push(cut);
    return cut;
  }

  private drop(isMeant: (connection: ProxiedConnection) => boolean): number {
    const dropped = [...this.connections].filter(isMeant);
    for (const connection of dropped) connection.destroy();
    return dropped.length;
  }
}
