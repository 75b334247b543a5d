import { type Exchange, type HeaderSink, RequestAborted, type AbortCause } from '../../dispatch/exchange.js';
import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { NotificationSink } from '../../notifications/sinks.js';
import type { NotificationMessage, RequestMessage } from '../../protocol/messages.js';
import { passesBoundary, StalledFrames } from '../replying/notifications.js';
import { SettledDelivery } from '../replying/reply.js';
import type { ServerContext } from './official-legacy.js';

/** The carrier's side of each request of an older client. */
export interface LegacyCarrier {
  /** The request that guards see for this message. */
  readonly requestOf: (message: RequestMessage) => object;
  readonly protocolVersion: string;
  /** Where the headers go that enhancers set; only over HTTP. */
  readonly responseHeaders?: HeaderSink;
  /** Why a request ends when the official server ends it. */
  readonly abortCause: AbortCause;
  /** Whether notifications would pile up before a reader that has stalled. */
  readonly isStalled: () => boolean;
  /** Calls back once, when a reader that has stalled has caught up. */
  readonly onceFlowing?: (resume: () => void) => void;
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
  private readonly waiting = new StalledFrames();
  private isResuming = false;

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

  /** Sends it about this request. What a reader that has stalled would have pile up waits in `StalledFrames`: of progress the latest. */
  notify(message: NotificationMessage): void {
    if (this.signal.aborted || !passesBoundary(message)) return;
    if (this.origin.carrier.isStalled()) this.hold(message);
    else this.send(message);
  }

  /** Called with the answer, before it is framed: what still waits goes out before it. */
  dispatched(reply: DispatchReply): void {
    this.flush();
    this.origin.carrier.dispatched?.(reply);
  }

  private hold(message: NotificationMessage): void {
    this.waiting.add(message, JSON.stringify(message));
    if (this.isResuming) return;
    this.isResuming = true;
    this.origin.carrier.onceFlowing?.(() => {
      this.isResuming = false;
      this.flush();
    });
  }

  private flush(): void {
    for (const message of this.waiting.takeMessages()) this.send(message);
  }

  private send({ method, params }: NotificationMessage): void {
    // Nobody is left to read it when it fails.
    this.origin.context.mcpReq.notify(params ? { method, params } : { method }).catch(() => {});
  }

  abort(cause: AbortCause): void {
    if (!this.signal.aborted) this.controller.abort(new RequestAborted(cause));
  }

  /** Rejects when the request is aborted, so that nobody waits for a handler that ignores its signal. */
  aborted(): Promise<never> {
    return new Promise((_resolve, reject) => {
      const fail = (): void => {
        const reason: Error = this.signal.reason;
        reject(reason);
      };
      if (this.signal.aborted) fail();
      else this.signal.addEventListener('abort', fail, { once: true });
    });
  }
}
