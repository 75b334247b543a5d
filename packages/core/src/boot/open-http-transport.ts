import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import type { MessageDispatcher } from '../dispatch/message-dispatcher.js';
import type { LegacyEra } from '../transport/legacy/legacy-parts.js';
import type { McpTransport } from '../transport/mcp-transport.js';
import type { FastifyInstance } from '../transport/streamable-http/fastify.js';
import { isLoopback } from '../transport/streamable-http/exposure.js';
import { registerStreamableHttp, type StreamableHttpParts } from '../transport/streamable-http/register-streamable-http.js';

/** Options of the endpoint, what answers it, and where its faults go. */
export interface HttpTransportParts {
  readonly options: Omit<StreamableHttpParts, 'dispatcher' | 'legacy'>;
  readonly dispatcher: MessageDispatcher;
  readonly legacy: LegacyEra;
  readonly faults: DefinitionFault[];
}

/** Opens the endpoint on the app's HTTP adapter; an application context without one has no HTTP transport. */
export function openHttpTransport(
  adapter: AbstractHttpAdapter | undefined,
  { options, dispatcher, legacy, faults }: HttpTransportParts,
): McpTransport | undefined {
  if (!adapter) return undefined;
  if (adapter.getType() !== 'fastify') {
    faults.push({
      where: 'McpModule',
      problem: `the app runs on the ${adapter.getType()} adapter; the Streamable HTTP endpoint needs Fastify`,
      fix: "NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter()), both from '@nestjs/platform-fastify'.",
    });
    return undefined;
  }
  const fastify = adapter.getInstance<FastifyInstance>();
  if (!options.allowedHosts) sayWhenUnreachable(fastify, options.path);
  try {
    return registerStreamableHttp(fastify, { ...options, dispatcher, legacy });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    faults.push(error.fault);
    return undefined;
  }
}

/** Bound to more than this machine, a server whose hosts are not named refuses everybody else: that is said once it listens. */
function sayWhenUnreachable(fastify: FastifyInstance, path: string): void {
  fastify.addHook('onListen', (done) => {
    const bound = (fastify.addresses() as AddressInfo[]).map(({ address }) => address);
    if (!bound.every(isLoopback)) {
      new Logger('McpModule').warn(
        `Bound to ${bound.join(', ')}, but ${path} only answers requests from this machine: list the host names that clients use in allowedHosts of McpModule, and the origins of browser pages in allowedOrigins`,
      );
    }
    done();
  });
}
