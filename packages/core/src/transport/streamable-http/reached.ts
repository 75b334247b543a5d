import type { FastifyReply, FastifyRequest } from './fastify-types.js';

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
  return (raw as { readonly stream?: Http2Stream }).stream;
}
