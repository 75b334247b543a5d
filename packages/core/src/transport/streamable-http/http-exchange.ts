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
import type { DispatchReply, MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import type { NotificationMessage, RequestMessage } from '../../protocol/messages.js';
import { encodeReply, lastWord, SettledDelivery } from '../replying/reply.js';
import { passesBoundary } from '../replying/notifications.js';
import { EventStream } from './event-stream.js';
import { type FastifyReply, type FastifyRequest, makeLast, hasReached, readRoutingHeaders, ReplyHeaders, sendJson } from './fastify.js';

/** The endpoint, as an exchange uses it. */
export interface ExchangeOwner {
  readonly heartbeatMs: number;
  readonly dispatcher: MessageDispatcher;
  /** Called once, when nothing of the exchange is left. */
  release(exchange: HttpExchange): void;
}

/**
 * One POST and its reply.
 *
 * It is open until it is answered or its response has closed, whether everything arrived or the client left before. The first notification
 * opens a stream; the answer goes out as JSON, or as the last event of that stream. Only an open exchange sends. A connection that is lost
 * before the answer aborts the signal, which is how a client cancels (MCP transports "Cancellation"). The delivery settles when the response has closed.
 */
export class HttpExchange extends SettledDelivery implements Exchange, NotificationSink {
  readonly headers: RoutingHeaders;
  readonly responseHeaders: HeaderSink;
  readonly notifications: NotificationSink = this;
  readonly delivery: Delivery = this;
  /** Most handlers never look at their signal. */
  readonly abortSource = new LazySignal();
  /** Whether it still takes an answer. */
  private open = true;
  private stream: EventStream | undefined;
  private endedBy: AbortCause | undefined;

  constructor(
    readonly message: RequestMessage,
    readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly owner: ExchangeOwner,
  ) {
    super();
    this.headers = readRoutingHeaders(request.raw);
    this.responseHeaders = new ReplyHeaders(reply);
    reply.raw.on('close', () => {
      if (this.open) this.leave();
      this.settle(hasReached(request, reply));
      owner.release(this);
    });
  }

  get signal(): AbortSignal {
    return this.abortSource.signal;
  }

  get isOpen(): boolean {
    return this.open;
  }

  notify(message: NotificationMessage): void {
    if (!this.open || this.isTaken() || !passesBoundary(message)) return;
    this.stream ??= EventStream.open(this.reply, this.owner.heartbeatMs);
    this.stream.send(message);
  }

  /** Before the stream is open nothing waits. */
  get isStalled(): boolean {
    return this.stream?.isStalled ?? false;
  }

  onDrain(listener: () => void): void {
    this.stream?.onDrain(listener);
  }

  /**
   * Sends the answer: JSON, or the last event of the stream, where the status has long been 200. If the server has ended the exchange,
   * this is its last word.
   */
  answer(reply: DispatchReply): void {
    if (!this.open) return;
    const word = this.endedBy === 'shutdown' ? lastWord(reply, this.message) : reply;
    const { text, status, retryAfter } = encodeReply(word, this.message, this.owner.dispatcher);
    if (!this.open) return;
    if (this.stream === undefined && (this.reply.sent || this.reply.raw.headersSent)) return;
    this.open = false;
    if (this.stream !== undefined) return this.stream.end(text);
    if (retryAfter !== undefined) this.reply.header('retry-after', retryAfter);
    sendJson(this.reply, status, text);
  }

  /** Ends the connection with the reply, unless the reply has begun. */
  makeLast(): void {
    if (this.open && this.stream === undefined && !this.isTaken()) makeLast(this.reply);
  }

  /** Ends the work on an answer that nobody waits for any more. */
  abort(cause: AbortCause): void {
    if (!this.open || this.endedBy !== undefined) return;
    this.endedBy = cause;
    this.abortSource.abort(new RequestAborted(cause));
  }

  /** Cuts the connection. From here on nothing is written: Node reports a write to a destroyed response as an unhandled error. */
  destroy(): void {
    this.leave();
    this.reply.raw.destroy();
  }

  // Somebody else has answered: a hook of the app, or a timeout of Fastify's.
  private isTaken(): boolean {
    return this.stream === undefined && (this.reply.sent || this.reply.raw.headersSent);
  }

  private leave(): void {
    this.abort('disconnected');
    this.open = false;
    this.stream?.stop();
  }
}
