import type { HeaderSink, AbortCause } from '../../dispatch/exchange.js';
import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import { stripOptionalWhitespace } from '../../dispatch/routing-headers.js';
import type { RequestMessage } from '../../protocol/messages.js';
import { Header } from '../../protocol/vocabulary.js';
import { type FastifyReply, type FastifyRequest, hasReached, needsDrain, ReplyHeaders } from './fastify.js';
import type { LegacyCarrier, LegacyExchange } from '../legacy/legacy-exchange.js';

// What a client means that names no revision (MCP 2025-11-25 transports "Protocol Version Header").
const UNNAMED_VERSION = '2025-03-26';

/** One POST of an older client: the requests in it, and whether they reached it. */
export class LegacyPost implements LegacyCarrier {
  readonly protocolVersion: string;
  readonly abortCause: AbortCause = 'disconnected';
  private readonly exchanges = new Set<LegacyExchange>();
  private readonly isBatch: boolean;
  readonly responseHeaders: HeaderSink;
  private answers = 0;
  private refusals = 0;
  private firstRefusal: DispatchReply | undefined;
  private isAborted = false;
  private wake: () => void = () => undefined;

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    onClose: (post: LegacyPost) => void,
  ) {
    this.responseHeaders = new ReplyHeaders(reply);
    this.isBatch = Array.isArray(request.body);
    const named = request.headers[Header.ProtocolVersion];
    this.protocolVersion = typeof named === 'string' ? stripOptionalWhitespace(named) : UNNAMED_VERSION;
    reply.raw.on('close', () => {
      this.abort('disconnected');
      this.settle(hasReached(request, reply));
      onClose(this);
    });
  }

  readonly requestOf = (message: RequestMessage): object => (this.isBatch ? memberView(this.request, message) : this.request);

  readonly isStalled = (): boolean => needsDrain(this.reply);

  readonly onceFlowing = (resume: () => void): void => void this.reply.raw.once('drain', resume);

  readonly opened = (exchange: LegacyExchange): void => void this.exchanges.add(exchange);

  readonly dispatched = (reply: DispatchReply): void => {
    this.answers += 1;
    if (reply.refused === true || [401, 403, 429].includes(reply.status)) {
      this.refusals += 1;
      this.firstRefusal ??= reply;
    }
    this.wake();
  };

  /** Whether dispatch has taken a message of it. */
  get wasDispatched(): boolean {
    return this.exchanges.size > 0;
  }

  /**
   * The answer to a caller who was refused at the endpoint, which HTTP tells by its status. Undefined when some message of a batch was let in; so while all
   * that were answered yet are refused, the others are waited for: their answers must not be lost.
   */
  async refusal(): Promise<DispatchReply | undefined> {
    while (this.refusals === this.answers && this.answers > 0 && this.answers < this.exchanges.size && !this.isAborted) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.refusals === this.answers && this.answers === this.exchanges.size ? this.firstRefusal : undefined;
  }

  abort(cause: AbortCause): void {
    this.isAborted = true;
    for (const exchange of this.exchanges) exchange.abort(cause);
    this.wake();
  }

  private settle(reached: boolean): void {
    for (const { delivery } of this.exchanges) delivery.settle(reached);
  }
}

/**
 * The request that guards see for one message of a batch: its own request, whose body is that message and to which they
 * may add anything.
 */
function memberView(request: FastifyRequest, message: RequestMessage): object {
  return Object.create(request, { body: { value: message, writable: true, enumerable: true, configurable: true } });
}
