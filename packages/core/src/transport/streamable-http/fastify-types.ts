import type { NestFastifyApplication } from '@nestjs/platform-fastify';

// Taken from Nest's adapter, so that they are the types of the very Fastify that the app runs on.

/** The Fastify instance of the app, or a scope of it. */
export type FastifyInstance = Awaited<ReturnType<NestFastifyApplication['register']>>;

type Handler = Parameters<FastifyInstance['route']>[0]['handler'];

/** One HTTP request. */
export type FastifyRequest = Parameters<Handler>[0];

/** Its reply. */
export type FastifyReply = Parameters<Handler>[1];
