import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HeaderSink, HeaderValue } from '../../dispatch/exchange.js';

// Taken from Nest's adapter, so that they are the types of the very Fastify that the app runs on.

/** The Fastify instance of the app, or a scope of it. */
export type FastifyInstance = Awaited<ReturnType<NestFastifyApplication['register']>>;

type Handler = Parameters<FastifyInstance['route']>[0]['handler'];

/** One HTTP request. */
export type FastifyRequest = Parameters<Handler>[0];

/** Its reply. */
export type FastifyReply = Parameters<Handler>[1];

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

/** HTTP/2's code for a stream that ended as it should. */
const NO_ERROR = 0;

/**
 * Whether a response that says `finish` was handed to its connection whole. Node says it for a write that failed, too: the callback it hangs on is called
 * either way, but the socket is destroyed by then. Over HTTP/2 it says it when the stream is over, however that came, and then the stream knows.
 */
export function hasReached(request: FastifyRequest, reply: FastifyReply): boolean {
  const stream = streamOf(reply);
  if (stream === undefined) return !request.raw.socket.destroyed;
  return stream.rstCode === NO_ERROR && stream.writableFinished;
}

/** Whether more is written than the reader has taken. */
export function needsDrain(reply: FastifyReply): boolean {
  return streamOf(reply)?.writableNeedDrain ?? reply.raw.writableNeedDrain;
}

function streamOf({ raw }: FastifyReply): Http2Stream | undefined {
  return Reflect.get(raw, 'stream');
}
