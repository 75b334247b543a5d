import {
  type Delivery,
  type Exchange,
  type HeaderSink,
  type RoutingHeaders,
  RequestAborted,
  type AbortCause,
} from '../../dispatch/exchange.js';
import type { NotificationSink } from '../../notifications/sinks.js';
import { LazySignal } from '../../protocol/abort-source.js';
import type { NotificationMessage } from '../../protocol/messages.js';
import type { EncodedReply } from '../replying/reply.js';
import { SettledDelivery } from '../replying/settling.js';
import { passesBoundary } from '../replying/notifications.js';
import { EventStream } from './event-stream.js';
import { type FastifyReply, type FastifyRequest, makeLast, hasReached, ReplyHeaders, sendJson } from './fastify.js';
import { readRoutingHeaders } from './read-routing-headers.js';

/** The endpoint, as an exchange uses it. */
export interface ExchangeOwner {
  readonly heartbeatMs: number;
  /** Called once, when nothing of the exchange is left. */
  release(exchange: HttpExchange): void;
}

/**
 * One POST and its reply.
 *
 * `waiting`: nothing is sent. The first notification makes it `streaming`, the answer makes it `answered`: as JSON from `waiting`, as the last
 * event from `streaming`. `over`: the response has closed, whether everything arrived or the client left before. Only `waiting` and
 * `streaming` send. The delivery settles when the reply was handed to the socket whole, or when the connection is lost before that;
 * a loss before the answer also aborts the signal, which is how a client cancels (MCP transports "Cancellation").
 */
export class HttpExchange extends SettledDelivery implements Exchange, NotificationSink {
  readonly headers: RoutingHeaders;
  private stage: 'waiting' | 'streaming' | 'answered' | 'over' = 'waiting';
  private stream: EventStream | undefined;
  /** Most handlers never look at their signal. */
  readonly abortSource = new LazySignal();

  constructor(
    readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly owner: ExchangeOwner,
  ) {
    super();
    this.headers = readRoutingHeaders(request.raw);
    // Before Node's own listener, which lets go of the socket by which `hasReached` tells.
    reply.raw.prependListener('finish', () => this.settle(hasReached(request, reply)));
    reply.raw.on('close', () => this.close());
  }

  get signal(): AbortSignal {
    return this.abortSource.signal;
  }

  get responseHeaders(): HeaderSink {
    return new ReplyHeaders(this.reply);
  }

  get notifications(): NotificationSink {
    return this;
  }

  get delivery(): Delivery {
    return this;
  }

  /** Whether it still takes an answer. */
  get isOpen(): boolean {
    return this.stage === 'waiting' || this.stage === 'streaming';
  }

  /** Whether the server ended it, and it waits for its last word. */
  get isShutDown(): boolean {
    const { reason } = this.abortSource;
    return reason instanceof RequestAborted && reason.abortCause === 'shutdown';
  }

  notify(message: NotificationMessage): void {
    if (!this.isOpen || this.isTaken() || !passesBoundary(message)) return;
    if (this.stream === undefined) {
      this.stream = EventStream.open(this.reply, this.owner.heartbeatMs);
      this.stage = 'streaming';
    }
    this.stream.send(message);
  }

  /** Before the stream is open nothing waits. */
  get isStalled(): boolean {
    return this.stream?.isStalled ?? false;
  }

  onDrain(listener: () => void): void {
    this.stream?.onDrain(listener);
  }

  /** Sends the answer: JSON, or the last event of the stream, where the status has long been 200. */
  answer({ text, status, retryAfter }: EncodedReply): void {
    if (!this.isOpen || this.isTaken()) return;
    this.stage = 'answered';
    if (this.stream !== undefined) return this.stream.end(text);
    if (retryAfter !== undefined) this.reply.header('retry-after', retryAfter);
    sendJson(this.reply, status, text);
  }

  /** Ends the connection with the reply, unless the reply has begun. */
  makeLast(): void {
    if (this.stage === 'waiting' && !this.isTaken()) makeLast(this.reply);
  }

  /** Ends the work on an answer that nobody waits for any more. */
  abort(cause: AbortCause): void {
    if (!this.abortSource.aborted && this.isOpen) this.abortSource.abort(new RequestAborted(cause));
  }

  /** Cuts the connection. From here on nothing is written: Node reports a write to a destroyed response as an unhandled error. */
  destroy(): void {
    this.abort('disconnected');
    this.stage = 'over';
    this.stream?.stop();
    this.reply.raw.destroy();
  }

  // Somebody else has answered: a hook of the app, or a timeout of Fastify's.
  private isTaken(): boolean {
    return this.stream === undefined && (this.reply.sent || this.reply.raw.headersSent);
  }

  private close(): void {
    this.abort('disconnected');
    this.stage = 'over';
    this.stream?.stop();
    this.settle(false);
    this.owner.release(this);
  }
}
