import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.js';
import type { RequestMessage } from '../../protocol/messages.js';
import { retryAfterOf } from '../replying/reply.js';
import { Idle } from '../replying/idle.js';
import { type FastifyReply, type FastifyRequest, makeLast, sendJson } from './fastify.js';
import { checkBatch, enterLegacy } from '../legacy/enter-legacy.js';
import { isDispatched, type LegacyParts } from '../legacy/legacy-parts.js';
import { LegacyPost } from './legacy-post.js';
import { createLegacyServer } from '../legacy/legacy-server.js';
import { legacyStatelessFallback } from '../legacy/official-legacy.js';
import { unknownRevision } from '../legacy/classify-era.js';

/**
 * The POSTs of the 2025 revisions (MCP 2025-11-25 transports "Streamable HTTP"), behind every check that HTTP makes of a head and a body.
 * Nothing is remembered between two of them: no session, no stream of the server's own, no resumption. The official leg frames the
 * answers; refusals of the endpoint keep their HTTP status, by which clients of every revision learn that they must sign in.
 */
export class LegacyEndpoint {
  private readonly posts = new Set<LegacyPost>();
  private readonly idle = new Idle(() => this.posts.size);

  constructor(private readonly parts: LegacyParts) {}

  /** Answers one POST whose body is of an older revision. */
  handle(body: JsonValue, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.raw.destroyed) return;
    const post = new LegacyPost(request, reply, (closed) => this.release(closed));
    this.posts.add(post);
    this.serve(body, post).catch((thrown: unknown) => {
      if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
      else send(reply, this.parts.dispatcher.fault(undefined, thrown));
    });
  }

  /** Waits until open requests have ended, for at most `ms`. */
  async drain(ms: number): Promise<void> {
    for (const { reply } of this.posts) makeLast(reply);
    await this.idle.within(ms);
  }

  /**
   * Ends open requests: each is answered that the server shuts down, and a stalled reader is disconnected after the
   * grace.
   */
  async close(graceMs: number): Promise<void> {
    for (const post of this.posts) post.abort('shutdown');
    await this.idle.within(graceMs);
    for (const { reply } of this.posts) reply.raw.destroy();
  }

  private async serve(body: JsonValue, post: LegacyPost): Promise<void> {
    const messages = Array.isArray(body) ? body : [body];
    const fault = this.faultOf(body, post);
    // If a POST is answered as a whole, the guards run once; otherwise for each message that dispatch does not answer, and so does not guard.
    const refused = await this.enter(fault ? messages.slice(0, 1) : messages.filter((message) => !isDispatchedRequest(message)), post);
    if (refused ?? fault) return send(post.reply, (refused ?? fault)!);
    const fetch = legacyStatelessFallback(() => createLegacyServer(this.parts, post));
    const response = await peeked(await fetch(webRequest(post.request), { parsedBody: body }));
    // The official leg found a fault in the head before it handed a message on.
    const late =
      post.wasDispatched || messages.some((message) => !isDispatchedRequest(message)) ? undefined : await this.enter(messages, post);
    // What dispatch does not answer was let in above, and its answer stands beside the refusals.
    const refusal = late ?? (messages.some(isAnsweredElsewhere) ? undefined : await post.refusal());
    if (post.reply.raw.destroyed) return void response.body?.cancel();
    if (!refusal) return void post.reply.send(response);
    await response.body?.cancel();
    send(post.reply, refusal);
  }

  /** Finds a problem of the POST as a whole. */
  private faultOf(body: JsonValue, { protocolVersion }: LegacyPost): DispatchReply | undefined {
    const requests = requestsIn(body);
    const unserved = unknownRevision(requests[0]?.id, protocolVersion);
    if (unserved) return { message: unserved, status: 400 };
    try {
      if (Array.isArray(body)) checkBatch(requests, protocolVersion);
      return undefined;
    } catch (thrown) {
      return this.parts.dispatcher.fault(undefined, thrown);
    }
  }

  /** Asks the guards of the endpoint about each message. @returns the first refusal */
  private async enter(messages: readonly JsonValue[], post: LegacyPost): Promise<DispatchReply | undefined> {
    for (const message of messages as unknown as RequestMessage[]) {
      const { protocolVersion, responseHeaders } = post;
      const entering = { request: post.requestOf(message), protocolVersion, responseHeaders };
      const refused = await enterLegacy(this.parts, message, entering);
      if (refused) return refused;
    }
    return undefined;
  }

  private release(post: LegacyPost): void {
    this.posts.delete(post);
    this.idle.check();
  }
}

function send(reply: FastifyReply, refused: DispatchReply): void {
  const retryAfter = retryAfterOf(refused);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  sendJson(reply, refused.status, JSON.stringify(refused.message));
}

function isRequest(value: JsonValue): value is JsonObject & RequestMessage {
  return isJsonObject(value) && typeof value.method === 'string' && value.id !== undefined;
}

function isDispatchedRequest(value: JsonValue): boolean {
  return isRequest(value) && isDispatched(value.method);
}

function isAnsweredElsewhere(value: JsonValue): boolean {
  return isRequest(value) && !isDispatched(value.method);
}

function requestsIn(body: JsonValue): RequestMessage[] {
  return (Array.isArray(body) ? body : [body]).filter(isRequest);
}

// The official leg reads the headers; the body comes with it parsed, and the URL says nothing to it.
function webRequest({ headers }: FastifyRequest): Request {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) web.set(name, value);
  }
  return new Request('http://localhost/', { method: 'POST', headers: web });
}

/**
 * The same response once its body has begun, so that its head is not sent before it is known what the answer is. A response without a
 * body, and one whose body is over, is given back as it is.
 */
async function peeked(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const first = await reader.read();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (first.done) controller.close();
      else controller.enqueue(first.value);
    },
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
