import type { AddressInfo } from 'node:net';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import type { MessageDispatcher } from '../dispatch/message-dispatcher.js';
import type { LegacyEra } from '../transport/legacy/legacy-parts.js';
import type { McpTransport } from '../transport/mcp-transport.js';
import type { FastifyInstance } from '../transport/streamable-http/fastify.js';
import { isLoopback } from '../transport/streamable-http/allowed-hosts.js';
import { registerStreamableHttp, type StreamableHttpParts } from '../transport/streamable-http/register-streamable-http.js';

/** Options of the endpoint, what answers it, and where its faults go. */
export interface HttpTransportParts {
  readonly options: Omit<StreamableHttpParts, 'dispatcher' | 'legacy'>;
  readonly dispatcher: MessageDispatcher;
  readonly legacy: LegacyEra;
  readonly faults: DefinitionFault[];
}

/** The transports of an endpoint, which close with the application. */
@Injectable()
export class EndpointTransports implements OnModuleDestroy, BeforeApplicationShutdown {
  private http: McpTransport | undefined;
  private readonly adopted = new Set<McpTransport>();

  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  /** Opens the HTTP transport. @returns whether there is one: a context without HTTP has none, and neither has an endpoint with faults */
  openHttp(parts: HttpTransportParts): boolean {
    this.http = openHttpTransport(this.adapterHost.httpAdapter, parts);
    return this.http !== undefined;
  }

  /** Takes a transport that was opened after boot, to close it with the application unless it is given back before. */
  adopt(transport: McpTransport): () => void {
    this.adopted.add(transport);
    return () => void this.adopted.delete(transport);
  }

  /** Begins to end the endpoint, and waits for nothing: what else takes its time before the shutdown does so meanwhile, such as tasks. */
  onModuleDestroy(): void {
    void this.http?.close();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.http?.close(), ...[...this.adopted].map((transport) => transport.close())]);
  }
}

/** Opens the endpoint on the app's HTTP adapter; an application context without one has no HTTP transport. */
function openHttpTransport(
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
