import type { FastifyReply } from './fastify-types.js';

/**
 * Tells the client that its connection ends with this reply, if it still can: another request on it would be lost.
 * HTTP/2 has a frame for it.
 */
export function makeLast(reply: FastifyReply): void {
  if (reply.raw.headersSent || reply.request.raw.httpVersionMajor >= 2) return;
  reply.header('connection', 'close');
}
