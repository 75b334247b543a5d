import { setImmediate as aTurn } from 'node:timers/promises';
import type { DispatchReply, MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { isThenable } from '../../protocol/maybe-promise.js';
import { Method } from '../../protocol/vocabulary.js';
import { shutdownReply } from '../replying/reply.js';
import { Idle } from '../replying/idle.js';
import type { McpTransport } from '../mcp-transport.js';
import type { OlderClients } from './older-clients.js';
import type { JsonBounds } from '../../protocol/json.js';
import { claimsEnvelope, readJson, toMessage } from '../reading/read-message.js';
import { BodyReader } from './body-reader.js';
import type { Body } from './body-reader.js';
import { ClosingNotice, type ShutdownTimes } from './closing-notice.js';
import { type FastifyReply, type FastifyRequest, readRoutingHeaders, ReplyHeaders, sendJson } from './fastify.js';
import { HttpExchange } from './http-exchange.js';
import type { ExchangeOwner } from './http-exchange.js';
import { Refusals, sendRefusal } from './refusal.js';

/** How an endpoint behaves; every value is settled. */
export interface EndpointSettings extends JsonBounds {
  readonly maxBodyBytes: number;
  readonly heartbeatMs: number;
  readonly bodyTimeoutMs: number;
  readonly shutdown: ShutdownTimes;
  readonly shutdownGraceMs: number;
}

/**
 * The MCP endpoint behind its Fastify route: message in, reply out, and the shutdown of open exchanges. From `close`
 * on every new request is refused, and streams that only wait for news end; everything else may continue for
 * `drainMs`. Then every open exchange is aborted, so that it can send a final response. An exchange that has sent none
 * after a turn of the event loop, or has only failed because of the abort, answers "Server is shutting down". Replies
 * that a stalled reader does not take get `shutdownGraceMs`, then their connection is closed.
 */
export class HttpEndpoint implements McpTransport, ExchangeOwner {
  readonly bodies: BodyReader;
  private readonly exchanges = new Set<HttpExchange>();
  private readonly answered = new Idle(() => this.unanswered());
  private readonly gone = new Idle(() => this.exchanges.size);
  private readonly notice: ClosingNotice;
  private closing: Promise<void> | undefined;

  constructor(
    readonly dispatcher: MessageDispatcher,
    private readonly settings: EndpointSettings,
    private readonly olderClients?: OlderClients,
  ) {
    this.bodies = new BodyReader({ maxBodyBytes: settings.maxBodyBytes, timeoutMs: settings.bodyTimeoutMs });
    this.notice = new ClosingNotice(settings.shutdown.noticeMs);
  }

  get heartbeatMs(): number {
    return this.settings.heartbeatMs;
  }

  /** Takes one POST whose head was checked and whose body was read. */
  readonly handle = (request: FastifyRequest, reply: FastifyReply): void => {
    const body = request.body as Body;
    if (!Buffer.isBuffer(body)) return sendRefusal(reply, body);
    if (this.closing !== undefined) return this.refuse(reply);
    const read = readJson(body, this.settings);
    if (read.kind === 'json' && !claimsEnvelope(read.value) && this.olderClients?.take(read.value, request, reply) === true) return;
    const incoming = read.kind === 'json' ? toMessage(read.value) : read;
    if (incoming.kind === 'refused') {
      // Bytes that are no JSON are refused as on a route; what a message lacks is said to those alone who may ask.
      if (read.kind !== 'json') return sendJson(reply, 400, JSON.stringify(incoming.response));
      return this.admitted(request, reply, () => ({ message: incoming.response, status: 400 }));
    }
    const { message } = incoming;
    // What guards see as the body of the request is the message, as a body parser would leave it.
    request.body = message;
    if (incoming.kind !== 'request')
      return this.admitted(request, reply, () => this.dispatcher.notify(message, readRoutingHeaders(request.raw)));
    // The client left while a hook of the app took its time: its close has been emitted already.
    if (reply.raw.destroyed) return;
    const exchange = new HttpExchange(incoming.message, request, reply, this);
    this.exchanges.add(exchange);
    // Only a reply that cannot be sent at all ends in an error; the client learns it from the connection.
    try {
      const settled = this.dispatcher.dispatch(incoming.message, exchange);
      if (isThenable(settled)) settled.then((answer) => exchange.answer(answer)).catch(() => exchange.destroy());
      else exchange.answer(settled);
    } catch {
      exchange.destroy();
    }
  };

  /**
   * Answers messages that are not dispatched, once the guards have let the caller in: with an error, or that it is
   * accepted.
   */
  private admitted(request: FastifyRequest, reply: FastifyReply, answer: () => DispatchReply | undefined): void {
    const { signal } = new AbortController();
    void this.dispatcher.admit({ exchange: { request, signal, responseHeaders: new ReplyHeaders(reply) } }).then((refusal) => {
      if (reply.sent || reply.raw.destroyed) return;
      const answered = refusal ?? answer();
      if (answered) sendJson(reply, answered.status, JSON.stringify(answered.message));
      else reply.code(202).send();
    });
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  release(exchange: HttpExchange): void {
    this.exchanges.delete(exchange);
    if (this.closing === undefined) return;
    this.answered.check();
    this.gone.check();
  }

  private refuse(reply: FastifyReply): void {
    this.notice.asked();
    sendRefusal(reply, Refusals.ShuttingDown);
  }

  private async shutDown(): Promise<void> {
    const { shutdown, shutdownGraceMs } = this.settings;
    await this.drain(shutdown.drainMs);
    this.bodies.close();
    for (const exchange of this.exchanges) exchange.abort('shutdown');
    const olderClosed = this.olderClients?.close(shutdownGraceMs);
    await aTurn();
    for (const exchange of this.exchanges) exchange.answer(shutdownReply(exchange.message));
    await Promise.all([this.gone.within(shutdownGraceMs), olderClosed]);
    for (const exchange of this.exchanges) exchange.destroy();
  }

  /** Answers requests that still come, and waits for running ones, as long as each may take. */
  private async drain(drainMs: number): Promise<void> {
    for (const exchange of this.exchanges) {
      exchange.makeLast();
      if (exchange.message.method === Method.Listen) exchange.abort('shutdown');
    }
    await Promise.all([this.notice.over(), this.answered.within(drainMs), this.olderClients?.drain(drainMs)]);
  }

  private unanswered(): number {
    return [...this.exchanges].filter(({ isOpen }) => isOpen).length;
  }
}
