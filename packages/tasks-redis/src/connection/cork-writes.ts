import { setImmediate } from 'node:timers';
import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from './redis-connection.js';

/**
 * Lets the commands of one turn of the event loop leave in one system call for each socket, instead of one for each
 * command. Node's own `setImmediate` ends the turn: the fake timers of an application's tests would hold the commands
 * back forever.
 */
export class CorkedWrites {
  private isCorked = false;
  private last: (() => void)[] = [];

  constructor(private readonly client: RedisClient) {}

  /** Call it before each command. What is written from here on leaves together once this turn's callbacks have run. */
  hold(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    // A connection that is opened again meanwhile has another socket, which writes at once.
    const sockets = socketsOf(this.client);
    for (const socket of sockets) socket.cork();
    setImmediate(() => {
      const { last } = this;
      this.last = [];
      for (const write of last) write();
      this.isCorked = false;
      for (const socket of sockets) socket.uncork();
    });
  }

  /** Calls `write` at the end of this turn. The commands that it sends leave with all others of the turn. It must not throw. */
  atEnd(write: () => void): void {
    this.last.push(write);
    this.hold();
  }
}

type Socket = Redis['stream'];

function socketsOf(client: RedisClient): readonly Socket[] {
  const servers = client.isCluster ? (client as Cluster).nodes('all') : [client as Redis];
  // A server that was never connected has none, whatever the type says.
  return servers.map(({ stream }) => stream as Socket | undefined).filter((socket) => socket !== undefined);
}
