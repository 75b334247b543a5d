import { Logger } from '@nestjs/common';
import type { RedisClient } from '../connection/redis-connection.js';

/** Who listens to a channel. Neither may throw; an error is logged. */
export interface ChannelListener {
  message(text: string): void;
  /** From now on nothing is missed. `isAgain`: it was so before, and since then something may have been. */
  subscribed?(isAgain: boolean): void;
}

/** Ends listening. Harmless when called again. */
export type Unlisten = () => void;

interface Channel {
  readonly listeners: Set<ChannelListener>;
  /** `asked`: the server was asked, and has not confirmed. */
  state: 'new' | 'asked' | 'confirmed';
  wasConfirmed: boolean;
}

/** After these the subscriptions may be those of another connection: a cluster moves them when the node is gone that had them. */
const RECONNECTED = ['ready', '-node'];

/** Before another try to subscribe. */
const RETRY_MS = 500;

/**
 * The channels of Redis that this process listens to, on one connection: each is subscribed once, however many listen,
 * and all that are wanted in a turn of the event loop together. After a lost connection, all of them again.
 */
export class RedisChannels {
  private readonly logger = new Logger(RedisChannels.name);
  private readonly channels = new Map<string, Channel>();
  private readonly abandoned = new Set<string>();
  private isFlushing = false;
  private isAttached = false;
  private isClosed = false;
  /** The last attempt to subscribe failed, and was logged. */
  private isFailing = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly client: RedisClient) {}

  /** How many channels are listened to. */
  get size(): number {
    return this.channels.size;
  }

  /** Whether the server refused the last subscription. It is tried again. */
  get isRefused(): boolean {
    return this.isFailing;
  }

  /** Listens to a channel. It does not wait for the server: that it hears everything `subscribed` says. */
  listen(name: string, listener: ChannelListener): Unlisten {
    if (this.isClosed) return () => undefined;
    this.attach();
    const channel = this.channels.get(name) ?? { listeners: new Set(), state: 'new', wasConfirmed: false };
    this.channels.set(name, channel);
    channel.listeners.add(listener);
    this.flushLater();
    return () => {
      if (!channel.listeners.delete(listener) || channel.listeners.size > 0 || this.channels.get(name) !== channel) return;
      this.channels.delete(name);
      if (channel.state !== 'new') this.abandoned.add(name);
      this.flushLater();
    };
  }

  /** Hears nothing any more. Subscriptions end with the connection. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.channels.clear();
    this.client.off('message', this.onMessage);
    for (const event of RECONNECTED) this.client.off(event, this.onReconnected);
  }

  private attach(): void {
    if (this.isAttached) return;
    this.isAttached = true;
    this.client.on('message', this.onMessage);
    for (const event of RECONNECTED) this.client.on(event, this.onReconnected);
  }

  private readonly onMessage = (name: string, text: string): void => {
    this.tell(name, (listener) => listener.message(text));
  };

  /** The client subscribes again by itself, but does not say when it has. */
  private readonly onReconnected = (): void => {
    for (const channel of this.channels.values()) if (channel.state === 'confirmed') channel.state = 'new';
    this.flushLater();
  };

  private flushLater(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    setImmediate(() => {
      this.isFlushing = false;
      if (!this.isClosed) this.flush();
    });
  }

  private flush(): void {
    const gone = [...this.abandoned].filter((name) => !this.channels.has(name));
    this.abandoned.clear();
    // A subscription that stays costs a message that nobody takes.
    if (gone.length > 0)
      this.client.unsubscribe(...gone).catch((error: unknown) => this.logger.debug(`Not unsubscribed: ${String(error)}`));
    const wanted = [...this.channels].filter(([, { state }]) => state === 'new');
    if (wanted.length > 0) void this.subscribe(wanted);
  }

  private async subscribe(wanted: readonly (readonly [string, Channel])[]): Promise<void> {
    for (const [, channel] of wanted) channel.state = 'asked';
    try {
      await this.client.subscribe(...wanted.map(([name]) => name));
    } catch (error) {
      this.failed(wanted, error);
      return;
    }
    this.isFailing = false;
    for (const [name, channel] of wanted) this.confirm(name, channel);
  }

  private confirm(name: string, channel: Channel): void {
    const isAgain = channel.wasConfirmed;
    channel.state = 'confirmed';
    channel.wasConfirmed = true;
    if (this.channels.get(name) === channel) this.tell(name, (listener) => listener.subscribed?.(isAgain));
  }

  private failed(wanted: readonly (readonly [string, Channel])[], error: unknown): void {
    if (this.isClosed) return;
    if (!this.isFailing) this.logger.warn(`Could not subscribe to channels; retrying until it succeeds: ${String(error)}`);
    this.isFailing = true;
    for (const [, channel] of wanted) channel.state = 'new';
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      this.flushLater();
    }, RETRY_MS).unref();
  }

  private tell(name: string, say: (listener: ChannelListener) => void): void {
    // A copy: who begins to listen from in there is not meant.
    for (const listener of Array.from(this.channels.get(name)?.listeners ?? [])) {
      try {
        say(listener);
      } catch (error) {
        this.logger.error('A listener threw', error instanceof Error ? error.stack : error);
      }
    }
  }
}
