import type { EventEmitter } from 'node:events';
import type { LoggerService } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { reasonOf } from './await-ready.js';
import type { RedisClient } from './redis-connection.js';

type Listener = Parameters<EventEmitter['on']>[1];
type Log = Pick<LoggerService, 'log' | 'warn'>;

/** Says once for each outage of a server that it is away, and once that it is back, however many connections and attempts there are. */
export class OutageLog {
  /** By address: which clients are without a connection. */
  private readonly away = new Map<string, Set<object>>();
  private readonly stops: (() => void)[] = [];
  /** Clients that are closed on purpose, to be reconnected at once. */
  private readonly expected = new Set<object>();

  constructor(private readonly logger: Log) {}

  /** Follows a client that is connected, or that connects when it is first used. */
  watch(client: RedisClient, address: string): void {
    let reason = 'the connection was closed';
    this.listen(client, {
      error: (error: Error) => void (reason = reasonOf(error)),
      close: () => void (this.expected.delete(client) || this.lost(address, client, reason)),
      ready: () => {
        reason = 'the connection was closed';
        this.found(address, client);
      },
      // A cluster loses and finds its nodes one by one, and is away itself when all are.
      'node error': (error: Error, node: string) => this.lost(node, client, (reason = reasonOf(error))),
      '+node': (node: Redis) => void node.once('ready', () => this.found(`${node.options.host}:${node.options.port}`, client)),
    });
  }

  /** The next loss of this client is not an outage. */
  expect(client: RedisClient): void {
    this.expected.add(client);
  }

  /** Says nothing any more. The clients keep a listener for errors, for ioredis prints those that nobody listens to. */
  stop(): void {
    for (const stop of this.stops.splice(0)) stop();
    this.away.clear();
  }

  private listen(client: RedisClient, listeners: Readonly<Record<string, Listener>>): void {
    for (const [event, listener] of Object.entries(listeners)) {
      client.on(event, listener);
      this.stops.push(() => client.off(event, listener));
    }
  }

  private lost(address: string, client: object, reason: string): void {
    const clients = this.away.get(address) ?? new Set();
    if (clients.size === 0) {
      this.away.set(address, clients);
      this.logger.warn(`Redis is away: ${address}, ${withoutStop(reason)}. Tasks can't be read or written until it is back`);
    }
    clients.add(client);
  }

  private found(address: string, client: object): void {
    const clients = this.away.get(address);
    if (!clients?.delete(client) || clients.size > 0) return;
    this.away.delete(address);
    this.logger.log(`Redis is back: ${address}`);
  }
}

/** Some messages of ioredis end like a sentence, others don't. */
function withoutStop(text: string): string {
  return text.replace(/\.+$/, '');
}
