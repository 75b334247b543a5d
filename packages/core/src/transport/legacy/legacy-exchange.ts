import type { Exchange, HeaderSink } from '../../dispatch/exchange.js';
import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import { RequestAborted, type AbortCause } from '../../dispatch/request-aborted.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { NotificationSink } from '../../notifications/notification-sink.js';
import type { NotificationMessage, RequestMessage } from '../../protocol/messages.js';
import { passesBoundary } from '../notification-boundary.js';
import { SettledDelivery } from '../settled-delivery.js';
import type { ServerContext } from './official-legacy.js';

/** What the carrier of an older client supplies for each of its requests. */
export interface LegacyCarrier {
  /** What guards see as the request of this message. */
  readonly requestOf: (message: RequestMessage) => object;
  readonly protocolVersion: string;
  /** Where the headers go that enhancers set; only over HTTP. */
  readonly responseHeaders?: HeaderSink;
  /** Why a request ends when the official server ends it. */
  readonly abortCause: AbortCause;
  /** Whether notifications would pile up before a reader that has stalled. */
  readonly isStalled: () => boolean;
  /** Called with each exchange, which the carrier settles. */
  readonly opened: (exchange: LegacyExchange) => void;
  /** Called with what dispatch answered, before the official server frames it. */
  readonly dispatched?: (reply: DispatchReply) => void;
}

/** One request of an older revision on its way through dispatch: no routing headers, and an envelope that declares nothing. */
export class LegacyExchange implements Exchange, NotificationSink {
  readonly delivery = new SettledDelivery();
  readonly request: object;
  readonly responseHeaders?: HeaderSink;
  private readonly controller = new AbortController();

  constructor(
    readonly message: RequestMessage,
    readonly envelope: RequestEnvelope,
    private readonly origin: { readonly context: ServerContext; readonly carrier: LegacyCarrier },
  ) {
    const { context, carrier } = origin;
    this.request = carrier.requestOf(message);
    if (carrier.responseHeaders) this.responseHeaders = carrier.responseHeaders;
    const { signal } = context.mcpReq;
    if (signal.aborted) this.abort(carrier.abortCause);
    else signal.addEventListener('abort', () => this.abort(carrier.abortCause), { once: true });
    carrier.opened(this);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get notifications(): NotificationSink {
    return this;
  }

  /** Sends it about this request. A reader that has stalled misses reports of progress rather than having them pile up. */
  notify(message: NotificationMessage): void {
    const { context, carrier } = this.origin;
    if (this.signal.aborted || carrier.isStalled() || !passesBoundary(message)) return;
    const { method, params } = message;
    // Nobody is left to read it when it fails.
    context.mcpReq.notify({ method, ...(params && { params }) }).catch(() => {});
  }

  dispatched(reply: DispatchReply): void {
    this.origin.carrier.dispatched?.(reply);
  }

  abort(cause: AbortCause): void {
    if (!this.signal.aborted) this.controller.abort(new RequestAborted(cause));
  }

  /** Rejects when the request is aborted, so that nobody waits for a handler which does not heed its signal. */
  aborted(): Promise<never> {
    return new Promise((_resolve, reject) => {
      const fail = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) fail();
      else this.signal.addEventListener('abort', fail, { once: true });
    });
  }
}
