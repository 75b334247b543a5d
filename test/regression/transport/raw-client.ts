import { once } from 'node:events';
import http from 'node:http';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import type { INestApplicationContext } from '@nestjs/common';
import { McpStdio } from '@mocapi/core';

/** `_meta` of a request of 2026-07-28. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of 2026-07-28. */
export function request(method: string, params: object = {}, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...(params as { _meta?: object })._meta } } };
}

/** The routing headers of a request of 2026-07-28. */
export function headersOf(method: string, name?: string): Record<string, string> {
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) };
}

export interface RawReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body, or the last event of a stream. */
  readonly json: any;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer | object;
}

/** Sends one HTTP request as it is, and reads its answer; the status is 0 when none came within 5 seconds. */
export async function send(url: string, { method = 'POST', headers = {}, body }: RawRequest): Promise<RawReply> {
  // Kept alive, so that an answer that comes before the body has gone out is read all the same.
  const agent = new http.Agent({ keepAlive: true });
  const outgoing = http.request(url, {
    method,
    agent,
    timeout: 5_000,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 5 s')));
  const answered = once(outgoing, 'response') as Promise<[http.IncomingMessage]>;
  outgoing.end(body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const [response] = await answered.catch(() => []);
  if (response === undefined) return { status: 0, headers: {}, text: 'no answer', json: undefined };
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  agent.destroy();
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode!, headers: response.headers, text, json: parse(text) };
}

/** Sends a request of 2026-07-28 with its routing headers. */
export function call(
  url: string,
  method: string,
  params: { name?: string; uri?: string; cursor?: string } & object = {},
): Promise<RawReply> {
  return send(url, { headers: headersOf(method, params.name ?? params.uri), body: request(method, params) });
}

/** A client of one application on stdio. */
export class StdioClient {
  readonly input = new PassThrough();
  private readonly output = new PassThrough();
  private readonly lines = createInterface({ input: this.output })[Symbol.asyncIterator]();
  private readonly served: Promise<void>;

  constructor(app: INestApplicationContext, limits: { maxLineBytes?: number } = {}) {
    this.served = McpStdio.serve(app, { input: this.input, output: this.output, limits });
  }

  write(message: string | object): void {
    this.input.write(typeof message === 'string' ? `${message}\n` : `${JSON.stringify(message)}\n`);
  }

  /** The next message. */
  async next(): Promise<any> {
    const { value } = (await this.lines.next()) as { value?: string };
    return value === undefined ? undefined : JSON.parse(value);
  }

  async end(): Promise<void> {
    this.input.end();
    await this.served;
  }
}

function parse(text: string): unknown {
  const last = text.trimEnd().split('\n\n').at(-1) ?? '';
  const data = last.split('\n').find((line) => line.startsWith('data: '));
  try {
    return JSON.parse(data === undefined ? text : data.slice('data: '.length));
  } catch {
    return undefined;
  }
}
