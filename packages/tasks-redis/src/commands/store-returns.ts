import type { RedisClient } from '../connection/redis-connection.js';

/** Notifies waiters that Redis is back: when the connection is, or when a command is answered after one was not. */
export class StoreReturns {
  private readonly listeners = new Set<() => void>();
  private isAway = false;

  constructor(private readonly client: RedisClient) {
    client.on('ready', this.answered);
  }

  /** Calls `listener` at each return. Returns what ends it. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** A command came to nothing because Redis is away. */
  failed(): void {
    this.isAway = true;
  }

  /** Redis can be used. */
  readonly answered = (): void => {
    if (!this.isAway) return;
    this.isAway = false;
    for (const listener of Array.from(this.listeners)) listener();
  };

  close(): void {
    this.client.off('ready', this.answered);
    this.listeners.clear();
  }
}
