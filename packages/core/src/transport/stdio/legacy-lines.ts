import { isShutdown, type AbortCause } from '../../dispatch/exchange.js';
import type { JsonValue } from '../../protocol/json.js';
import type { NotificationMessage, RequestId, RequestMessage } from '../../protocol/messages.js';
import { checkBatch, enterLegacy } from '../legacy/enter-legacy.js';
import type { LegacyCarrier, LegacyExchange } from '../legacy/legacy-exchange.js';
import { isDispatched, type LegacyParts } from '../legacy/legacy-parts.js';
import { createLegacyServer } from '../legacy/legacy-server.js';
import type { JSONRPCMessage, Server, Transport, TransportSendOptions } from '../legacy/official-legacy.js';
import { toMessage } from '../reading/read-message.js';
import type { LineWriter } from './line-writer.js';
import { StdioBatch } from './stdio-batch.js';
import { stdioRequest } from './stdio-exchange.js';

/** The connection, as the lines of an older client use it. */
export interface LegacyLinesParts {
  readonly path: string;
  readonly writer: LineWriter;
  readonly onIdle: () => void;
}

interface BatchReply {
  readonly id: RequestId;
  readonly exchange: LegacyExchange | undefined;
  readonly text: string;
  readonly onWritten: (reached: boolean) => void;
}

/** An older client on stdio, as the official server sees it: a transport of its own, whose lines are the connection's. */
export class LegacyLines implements Transport, LegacyCarrier {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  protocolVersion = 'unknown';
  readonly abortCause: AbortCause = 'cancelled';
  private readonly pending = new Map<RequestId, LegacyExchange | undefined>();
  /** The batch of each request that came in one and is not answered. */
  private readonly batches = new Map<RequestId, StdioBatch>();
  private readonly server: Server;
  private readonly connected: Promise<void>;

  constructor(
    private readonly legacy: LegacyParts,
    private readonly parts: LegacyLinesParts,
  ) {
    this.server = createLegacyServer(legacy, this);
    this.connected = this.server.connect(this);
  }

  get inFlight(): number {
    return this.pending.size;
  }

  readonly requestOf = (message: RequestMessage): object => stdioRequest(this.parts.path, message);

  // Lines that wait are kept per request by the writer.
  readonly isStalled = (): boolean => false;

  readonly opened = (exchange: LegacyExchange): void => {
    const { id } = exchange.message;
    this.pending.set(id, exchange);
    exchange.signal.addEventListener('abort', () => this.cancelled(exchange), { once: true });
  };

  receive(value: JsonValue): void {
    const incoming = toMessage(value);
    if (incoming.kind === 'request') this.pending.set(incoming.message.id, undefined);
    const request = incoming.kind === 'request' && !isDispatched(incoming.message.method) ? incoming.message : undefined;
    this.deliver(value, request).catch(() => request && this.settled(request.id));
  }

  /** Takes the messages of one batch; a problem with the batch as a whole is answered once. */
  receiveBatch(values: readonly JsonValue[]): void {
    const incoming = values.map(toMessage);
    const requests = incoming.flatMap((one) => (one.kind === 'request' ? [one.message] : []));
    try {
      checkBatch(requests, this.protocolVersion);
    } catch (thrown) {
      return this.parts.writer.reply(this, JSON.stringify(this.legacy.dispatcher.fault(undefined, thrown).message), () => {});
    }
    const ids = requests.map(({ id }) => id);
    const batch = new StdioBatch(ids, (text, onWritten) => this.parts.writer.reply(batch, text, onWritten));
    for (const id of ids) this.batches.set(id, batch);
    for (const [index, one] of incoming.entries()) {
      if (one.kind === 'refused') batch.refuse(JSON.stringify(one.response));
      else this.receive(values[index]!);
    }
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      const id = options?.relatedRequestId;
      const owner = id === undefined ? undefined : this.pending.get(id);
      if (owner) this.parts.writer.notify(owner, message as NotificationMessage);
      return Promise.resolve();
    }
    const { id } = message as { id: RequestId };
    const exchange = this.pending.get(id);
    const text = JSON.stringify(message);
    return new Promise((resolve) => {
      const onWritten = (reached: boolean): void => {
        exchange?.delivery.settle(reached);
        resolve();
      };
      const batch = this.batches.get(id);
      if (batch) this.replyInBatch(batch, { id, exchange, text, onWritten });
      else this.parts.writer.reply(exchange ?? this, text, onWritten);
      this.settled(id);
    });
  }

  // What still waits of its notifications would come behind the answer.
  private replyInBatch(batch: StdioBatch, { id, exchange, text, onWritten }: BatchReply): void {
    if (exchange) this.parts.writer.discard(exchange);
    this.batches.delete(id);
    batch.reply(id, { text, onWritten });
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  abort(cause: AbortCause): void {
    for (const exchange of this.pending.values()) exchange?.abort(cause);
  }

  end(): Promise<void> {
    return this.server.close();
  }

  private async deliver(value: JsonValue, unguarded: RequestMessage | undefined): Promise<void> {
    await this.connected;
    const { protocolVersion } = this;
    const refused = unguarded && (await enterLegacy(this.legacy, unguarded, { request: this.requestOf(unguarded), protocolVersion }));
    if (refused) await this.send(refused.message);
    else this.onmessage?.(value as unknown as JSONRPCMessage);
  }

  // Of a cancelled request nothing more is sent; at shutdown its last word is.
  private cancelled(exchange: LegacyExchange): void {
    const { id } = exchange.message;
    if (isShutdown(exchange.signal)) return;
    this.parts.writer.discard(exchange);
    exchange.delivery.settle(false);
    this.batches.get(id)?.drop(id);
    this.batches.delete(id);
    if (this.pending.get(id) === exchange) this.settled(id);
  }

  private settled(id: RequestId): void {
    this.pending.delete(id);
    if (this.pending.size === 0) this.parts.onIdle();
  }
}
