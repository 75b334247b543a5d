import { isRequestId } from '../../protocol/json.js';
import type { MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { isShutdown, type AbortCause } from '../../dispatch/exchange.js';
import { ErrorCode } from '../../protocol/vocabulary.js';
import type { NotificationMessage, RequestId, RequestMessage, ResponseMessage } from '../../protocol/messages.js';
import { encodeReply, lastWord, shutdownReply } from '../replying/reply.js';
import type { LineWriter } from './line-writer.js';
import { StdioExchange, stdioRequest } from './stdio-exchange.js';

/** The connection, as its requests use it. */
export interface StdioRequestsParts {
  readonly dispatcher: MessageDispatcher;
  readonly writer: LineWriter;
  readonly path: string;
  readonly refuse: (response: ResponseMessage) => void;
  /** Called whenever a request has ended. */
  readonly onEnded: () => void;
  readonly onCancelled: (id: RequestId, reason: unknown) => void;
}

/** The requests in flight on one connection, by their ids: these are the client's own, so no other client can cancel them. */
export class StdioRequests {
  private readonly open = new Map<RequestId, StdioExchange>();

  constructor(private readonly parts: StdioRequestsParts) {}

  get size(): number {
    return this.open.size;
  }

  /** Answers a request, beside every other. */
  take(message: RequestMessage): void {
    const { id } = message;
    if (this.open.has(id)) return this.parts.refuse(idInUse(id));
    const exchange = new StdioExchange(message, stdioRequest(this.parts.path, message), this.parts.writer);
    this.open.set(id, exchange);
    exchange.delivery.onSettled(() => this.ended(exchange));
    // Only a reply that cannot be encoded at all ends here.
    this.answer(exchange).catch(() => exchange.drop('disconnected'));
  }

  /**
   * Handles `notifications/cancelled` (MCP basic/utilities/cancellation): ignores an id that is unknown, answered or
   * malformed.
   */
  cancel({ params = {} }: NotificationMessage): void {
    const exchange = isRequestId(params.requestId) ? this.open.get(params.requestId) : undefined;
    if (exchange?.isOpen !== true) return;
    exchange.drop('cancelled');
    this.parts.onCancelled(exchange.message.id, params.reason);
  }

  /** Ends the work on those that `which` chooses, so that each says its last word. */
  abort(cause: AbortCause, which: (message: RequestMessage) => boolean = () => true): void {
    for (const exchange of this.open.values()) if (which(exchange.message)) exchange.abort(cause);
  }

  /** Answers those that have not said one. */
  sayLastWords(): void {
    for (const exchange of this.open.values()) this.send(exchange, shutdownReply(exchange.message));
  }

  /** Nothing can be sent any more. */
  drop(): void {
    for (const exchange of this.open.values()) exchange.drop('disconnected');
  }

  /** The reader of the output has caught up. */
  drained(): void {
    for (const exchange of this.open.values()) exchange.drained();
  }

  private async answer(exchange: StdioExchange): Promise<void> {
    const reply = await this.parts.dispatcher.dispatch(exchange.message, exchange);
    this.send(exchange, isShutdown(exchange.signal) ? lastWord(reply, exchange.message) : reply);
  }

  private send(exchange: StdioExchange, reply: Parameters<typeof encodeReply>[0]): void {
    if (exchange.isOpen) exchange.answer(encodeReply(reply, exchange.message, this.parts.dispatcher));
  }

  private ended(exchange: StdioExchange): void {
    this.open.delete(exchange.message.id);
    this.parts.onEnded();
  }
}

/** Without the id, which would make it the answer to the request that has it. */
function idInUse(id: RequestId): ResponseMessage {
  const message = `Invalid request: the id ${JSON.stringify(id).slice(0, 128)} is in use`;
  return { jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message } };
}
