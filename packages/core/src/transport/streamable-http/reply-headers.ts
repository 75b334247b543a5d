import type { HeaderSink } from '../../dispatch/exchange.js';
import type { FastifyReply } from './fastify-types.js';

/** Puts headers on a reply whose head is not sent yet. An event stream takes over those that were set before it began. */
export function replyHeaders(reply: FastifyReply): HeaderSink {
  const isOpen = (): boolean => !reply.sent && !reply.raw.headersSent;
  return {
    set: (name, value) => {
      if (isOpen()) reply.header(name, value);
    },
    remove: (name) => {
      if (isOpen()) reply.removeHeader(name);
    },
  };
}
