import { setTimeout } from 'node:timers/promises';

/** How long each part of the end of an endpoint may take; milliseconds, 0: not at all. */
export interface ShutdownTimes {
  /** How long new requests are refused, at the longest, before the app stops listening. */
  readonly noticeMs: number;
  /** How long requests in flight may continue before they are aborted. */
  readonly drainMs: number;
}

/** Default times. */
export const SHUTDOWN_TIMES: ShutdownTimes = { noticeMs: 500, drainMs: 2_000 };

/** So long after the last new request, nobody is expected any more. */
export const QUIET_MS = 100;

/**
 * The time in which a server that shuts down announces it, before it stops listening. When a listener closes, a
 * request on its way is reset, and its sender cannot know whether it was executed. A request that is refused, or that
 * finds no listener, may be sent to another server.
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
