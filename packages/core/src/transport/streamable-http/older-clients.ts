import type { MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { isJsonObject, type JsonValue } from '../../protocol/json.js';
import type { FastifyReply, FastifyRequest } from './fastify.js';
import { ReplyHeaders } from './fastify.js';
import { sendJson } from './fastify.js';
import { toMessage, withoutExtras } from '../reading/read-message.js';
import { legacyRoute } from '../legacy/classify-era.js';
import { LegacyEndpoint } from './legacy-endpoint.js';
import type { LegacyEra } from '../legacy/legacy-parts.js';
import { unsupportedRevision } from '../legacy/classify-era.js';

/** Handles the POSTs of clients of the 2025 revisions. */
export interface OlderClients {
  /** Takes a POST that is theirs, and says whether it was. */
  take(body: JsonValue, request: FastifyRequest, reply: FastifyReply): boolean;
  /** Waits until open requests have ended, for at most `ms`. */
  drain(ms: number): Promise<void>;
  /** Ends open requests; a stalled reader is disconnected after the grace. */
  close(graceMs: number): Promise<void>;
}

/** Serves them, or answers with the supported revisions. */
export function olderClients(era: LegacyEra, dispatcher: MessageDispatcher): OlderClients {
  return era === 'reject' ? new Rejecting(dispatcher) : new Serving(new LegacyEndpoint(era));
}

class Serving implements OlderClients {
  constructor(private readonly endpoint: LegacyEndpoint) {}

  take(body: JsonValue, request: FastifyRequest, reply: FastifyReply): boolean {
    if (!legacyRoute(body, request.headers)) return false;
    // What guards see as the body: the message, or the messages.
    const messages = Array.isArray(body) ? body.map(asMessage) : asMessage(body);
    request.body = messages;
    this.endpoint.handle(messages, request, reply);
    return true;
  }

  drain(ms: number): Promise<void> {
    return this.endpoint.drain(ms);
  }

  close(graceMs: number): Promise<void> {
    return this.endpoint.close(graceMs);
  }
}

function asMessage(value: JsonValue): JsonValue {
  return isJsonObject(value) && typeof value.method === 'string' ? withoutExtras(value) : value;
}

/** Notifications, batches and responses need no answer of their own: they are dropped or refused as any other. */
class Rejecting implements OlderClients {
  constructor(private readonly dispatcher: MessageDispatcher) {}

  take(body: JsonValue, request: FastifyRequest, reply: FastifyReply): boolean {
    const route = legacyRoute(body, request.headers);
    if (route?.reason !== 'initialize' && route?.reason !== 'no-claim') return false;
    const incoming = toMessage(body);
    if (incoming.kind !== 'request') return false;
    const { id } = incoming.message;
    request.body = asMessage(body);
    const { signal } = new AbortController();
    void this.dispatcher.admit({ exchange: { request, signal, responseHeaders: new ReplyHeaders(reply) } }).then((refusal) => {
      if (reply.sent || reply.raw.destroyed) return;
      const message = refusal ? { ...refusal.message, id } : unsupportedRevision(id, route.requestedVersion);
      sendJson(reply, refusal?.status ?? 400, JSON.stringify(message));
    });
    return true;
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
