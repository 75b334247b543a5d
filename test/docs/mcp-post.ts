import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PROTOCOL_VERSION, type ClientCapabilities, type JsonObject } from '@mocapi/core';

/** How a request of a test differs from the plainest one. */
export interface PostOptions {
  readonly capabilities?: ClientCapabilities;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Posted {
  readonly status: number;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends one request to the endpoint of an app that listens, as a client of the revision does. */
export async function post(app: NestFastifyApplication, [method, params]: [string, JsonObject], options: PostOptions = {}): Promise<Posted> {
  const { capabilities = {}, headers = {} } = options;
  const name = params.name ?? params.taskId;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await fetch(`${await app.getUrl()}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, _meta: meta } }),
  });
  return { status: response.status, ...(await readMessage(response)) };
}

/** The message of a JSON body, or the last one of a stream. */
async function readMessage(response: Response): Promise<Omit<Posted, 'status'>> {
  const text = await response.text();
  const events = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? text) as Omit<Posted, 'status'>;
}
