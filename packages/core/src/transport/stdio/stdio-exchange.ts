import { type Exchange, RequestAborted, type AbortCause, standInRequest } from '../../dispatch/exchange.js';
import type { NotificationSink } from '../../notifications/sinks.js';
import type { NotificationMessage, RequestMessage } from '../../protocol/messages.js';
import type { EncodedReply } from '../replying/reply.js';
import { passesBoundary } from '../replying/notifications.js';
import { SettledDelivery } from '../replying/reply.js';
import type { LineWriter } from './line-writer.js';

/**
 * One request on stdio and its reply (MCP transports "stdio"). It is open until it is answered or cancelled; after that nothing is sent
 * for it. The delivery settles when the line of the reply was written.
 */
export class StdioExchange implements Exchange, NotificationSink {
  readonly delivery = new SettledDelivery();
  private readonly controller = new AbortController();
  private onCaughtUp: (() => void) | undefined;
  private isOver = false;

  constructor(
    readonly message: RequestMessage,
    readonly request: object,
    private readonly writer: LineWriter,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get notifications(): NotificationSink {
    return this;
  }

  get isOpen(): boolean {
    return !this.isOver;
  }

  get isStalled(): boolean {
    return this.writer.isStalled;
  }

  onDrain(listener: () => void): void {
    this.onCaughtUp = listener;
  }

  drained(): void {
    if (this.isOpen) this.onCaughtUp?.();
  }

  notify(message: NotificationMessage): void {
    if (this.isOpen && passesBoundary(message)) this.writer.notify(this, message);
  }

  answer({ text }: EncodedReply): void {
    if (this.isOver) return;
    this.isOver = true;
    this.writer.reply(this, text, (reached) => this.delivery.settle(reached));
  }

  /** Ends the work; the last word is still sent. */
  abort(cause: AbortCause): void {
    if (!this.isOver && !this.signal.aborted) this.controller.abort(new RequestAborted(cause));
  }

  /** Ends the work, and nothing more is sent (MCP basic/utilities/cancellation). */
  drop(cause: 'cancelled' | 'disconnected'): void {
    if (this.isOver) return;
    this.abort(cause);
    this.isOver = true;
    this.writer.discard(this);
    this.delivery.settle(false);
  }
}

/**
 * The request that guards, `@Inject(REQUEST)` and parameter decorators see on stdio, in the shape of an HTTP one: there
 * are no headers (MCP transports "stdio"), and the client is a process of this machine.
 */
export function stdioRequest(path: string, body: RequestMessage): object {
  const head = { method: 'POST', url: path, headers: {} };
  return standInRequest({ ...head, body, query: {}, params: {}, ip: '127.0.0.1', raw: { ...head, headers: {}, rawHeaders: [] } });
}
