import type { FastifyReply } from './fastify-types.js';

/** Sends a whole reply that is JSON already, through Fastify, so that the headers and hooks of the app apply. */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}
