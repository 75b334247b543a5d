import { Logger } from '@nestjs/common';
import type { RedisChannels, Unlisten } from './redis-channels.js';

/** Parts of a heartbeat. */
export interface ChannelHeartbeatParts {
  readonly channels: RedisChannels;
  /** A channel of this node's own. */
  readonly channel: string;
  /** Publishes by the other connection. Rejects when that can't be done. */
  publish(channel: string, text: string): Promise<unknown>;
  /** Whether the connection of the channels claims to be there. */
  isConnected(): boolean;
  /** Reconnects the channels. */
  readonly renew: () => void;
  /** Where they lead, for the log. */
  readonly address: string;
}

/** Milliseconds between two beats. */
const BEAT_MS = 1000;
/** So many beats without an echo, and nothing arrives any more. */
const UNHEARD = 2;

/**
 * Finds out whether the connection for channels still hears: while somebody listens, the node publishes to itself and expects the echo. A connection
 * that went silent without an end (half-open) is replaced, and all who listen hear that they may have missed something.
 */
export class ChannelHeartbeat {
  private readonly logger = new Logger('McpTasksRedis');
  private timer: NodeJS.Timeout | undefined;
  private unlisten: Unlisten | undefined;
  /** Beats since the last echo. */
  private unheard = 0;
  /** That nothing arrives was logged. */
  private isTold = false;
  private isStopped = false;

  constructor(private readonly parts: ChannelHeartbeatParts) {
    this.beatLater();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.unlisten?.();
  }

  // Each beat waits for the one before: a process that stood still has heard what came meanwhile before it judges.
  private beatLater(): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.beat().finally(() => this.beatLater()), BEAT_MS).unref();
  }

  private async beat(): Promise<void> {
    const { channels } = this.parts;
    if (channels.size <= (this.unlisten ? 1 : 0)) this.rest();
    else if (!this.unlisten) this.begin();
    else if (!this.parts.isConnected() || channels.isRefused) this.unheard = 0;
    else if (this.unheard >= UNHEARD) this.renew();
    else await this.ping();
  }

  private begin(): void {
    const heard = (): void => {
      this.unheard = 0;
    };
    const echoed = (): void => {
      heard();
      this.isTold = false;
    };
    heard();
    this.unlisten = this.parts.channels.listen(this.parts.channel, { message: echoed, subscribed: heard });
  }

  /** Nobody else listens. */
  private rest(): void {
    this.unlisten?.();
    this.unlisten = undefined;
  }

  private async ping(): Promise<void> {
    this.unheard += 1;
    // What was not published can't be heard. That it can't be is the matter of others.
    await this.parts.publish(this.parts.channel, '').catch(() => (this.unheard = 0));
  }

  private renew(): void {
    const { address, renew } = this.parts;
    if (!this.isTold) this.logger.warn(`Redis is connected, but its messages no longer arrive: ${address}. Reconnecting`);
    this.isTold = true;
    this.unheard = 0;
    renew();
  }
}
