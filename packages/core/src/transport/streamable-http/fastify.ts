import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage } from 'node:http';
import type { HeaderSink, HeaderValue, RoutingHeaders } from '../../dispatch/exchange.js';

// Taken from Nest's adapter, so that they are the types of the very Fastify that the app runs on.

/** The Fastify instance of the app, or a scope of it. */
export type FastifyInstance = Awaited<ReturnType<NestFastifyApplication['register']>>;

type Handler = Parameters<FastifyInstance['route']>[0]['handler'];

/** One HTTP request. */
export type FastifyRequest = Parameters<Handler>[0];

/** Its reply. */
export type FastifyReply = Parameters<Handler>[1];

const MCP_PREFIX = 'mcp-';
const LETTER_M = 0x6d;
const LOWER_CASE = 0x20;

/**
 * The headers as dispatch reads them. Node joins the values of an unknown header that was sent twice as `a, b`, which
 * can equal a name that contains a comma. So `Mcp-*` headers that came more than once are given as lists, which the
 * raw header lines reveal.
 */
export function readRoutingHeaders({ headers, rawHeaders }: IncomingMessage): RoutingHeaders {
  let seen: string[] | undefined;
  let repeated: Record<string, readonly string[]> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if ((raw.charCodeAt(0) | LOWER_CASE) !== LETTER_M) continue;
    const name = raw.toLowerCase();
    if (!name.startsWith(MCP_PREFIX)) continue;
    if (seen?.includes(name) === true) (repeated ??= {})[name] = valuesOf(rawHeaders, name);
    else (seen ??= []).push(name);
  }
  return repeated === undefined ? headers : { ...headers, ...repeated };
}

/** How often a header was sent, which Node's own view hides for those, like `Host`, of which it keeps the first. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if (raw.length === name.length && raw.toLowerCase() === name) count++;
  }
  return count;
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Sends a whole reply that is JSON already, through Fastify, so that the headers and hooks of the app apply. */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}

/** Puts headers on a reply whose head is not sent yet. An event stream takes over those that were set before it began. */
export class ReplyHeaders implements HeaderSink {
  constructor(private readonly reply: FastifyReply) {}

  set(name: string, value: HeaderValue): void {
    if (this.isOpen) this.reply.header(name, value);
  }

  remove(name: string): void {
    if (this.isOpen) this.reply.removeHeader(name);
  }

  private get isOpen(): boolean {
    return !this.reply.sent && !this.reply.raw.headersSent;
  }
}

/**
 * Tells the client that its connection ends with this reply, if it still can: another request on it would be lost.
 * HTTP/2 has a frame for it.
 */
export function makeLast(reply: FastifyReply): void {
  if (reply.raw.headersSent || reply.request.raw.httpVersionMajor >= 2) return;
  reply.header('connection', 'close');
}

/** The members that are read of the stream behind an HTTP/2 response. */
interface Http2Stream {
  readonly rstCode: number;
  readonly writableFinished: boolean;
  readonly writableNeedDrain: boolean;
}

type MaybeHttp2 = FastifyReply['raw'] & { readonly stream?: Http2Stream };

/** HTTP/2's code for a stream that ended as it should. */
const NO_ERROR = 0;

/**
 * Whether a response that has closed was handed to its connection whole. Node says so of a write that failed, too: the callback it hangs on is called
 * either way, but the socket is destroyed by then. Over HTTP/2 the stream knows.
 */
export function hasReached({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean {
  const { stream }: MaybeHttp2 = raw;
  if (stream !== undefined) return stream.rstCode === NO_ERROR && stream.writableFinished;
  return raw.writableFinished && !socket.destroyed;
}

/** Whether more is written than the reader has taken. */
export function needsDrain({ raw }: FastifyReply): boolean {
  const { stream }: MaybeHttp2 = raw;
  return (stream ?? raw).writableNeedDrain;
}
