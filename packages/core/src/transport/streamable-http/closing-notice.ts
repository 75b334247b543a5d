import { setTimeout } from 'node:timers/promises';
import { QUIET_MS } from './shutdown-times.js';

/**
 * The time in which a server that ends says so, before it stops listening. A request that is on its way when a listener closes is reset, and whoever
 * sent it cannot know whether it was carried out; one that is refused, or that finds nobody listening, may be sent to another server.
 */
export class ClosingNotice {
  private wasAsked = false;

  constructor(private readonly longestMs: number) {}

  /** To be called with each request that is refused. */
  asked(): void {
    this.wasAsked = true;
  }

  /** Resolves once nobody has asked for a while, at the latest after the time that it was given. */
  async over(): Promise<void> {
    for (let leftMs = this.longestMs; leftMs > 0; leftMs -= QUIET_MS) {
      this.wasAsked = false;
      await setTimeout(Math.min(QUIET_MS, leftMs));
      if (!this.wasAsked) return;
    }
  }
}
