// A server and a client that load nothing of the Tasks extension, which the testing package would.
import 'reflect-metadata';
import { McpModule, PROTOCOL_VERSION } from '@mocapi/core';
import type { ModuleMetadata, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** A request as it goes out: what differs from a client of the revision that declares nothing. */
export interface BareRequest {
  readonly method: string;
  readonly params?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly capabilities?: object;
}

/** All that came back, apart from what differs from one moment to the next. */
export interface BareAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface BareServer {
  send(request: BareRequest): Promise<BareAnswer>;
  close(): Promise<void>;
}

export async function startBareServer({ imports = [], ...rest }: ModuleMetadata): Promise<BareServer> {
  class Root {}
  const module = {
    module: Root,
    imports: [McpModule.forRoot({ name: 'bare', version: '1.0.0', instructions: 'Ask' }), ...imports],
    ...rest,
  };
  const app = await NestFactory.create<NestFastifyApplication>(module as never as Type, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/mcp`;
  return { send: (request) => send(url, request), close: () => app.close() };
}

async function send(url: string, { method, params = {}, headers = {}, capabilities = {} }: BareRequest): Promise<BareAnswer> {
  const { name, taskId } = params as { name?: string; taskId?: string };
  const named = name ?? taskId;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_VERSION,
      'mcp-method': method,
      ...(named === undefined ? {} : { 'mcp-name': named }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } }),
  });
  const { date: _date, 'content-length': _length, ...kept } = Object.fromEntries(response.headers);
  const body = await response.text();
  return { status: response.status, headers: kept, body: steady(body) };
}

/** Error ids and sealed tokens are random by design; their lengths stay. */
function steady(body: string): string {
  return body
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => '#'.repeat(id.length))
    .replace(/("requestState":")([^"]+)"/g, (_all, head: string, token: string) => `${head}${'#'.repeat(token.length)}"`);
}
