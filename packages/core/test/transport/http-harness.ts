import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import type { Exchange } from '../../src/dispatch/exchange.js';
import type { DispatchReply, MessageDispatcher } from '../../src/dispatch/message-dispatcher.js';
import { errorToJsonRpc } from '../../src/errors/error-to-json-rpc.js';
import type { NotificationMessage, RequestMessage } from '../../src/protocol/messages.js';
import type { McpTransport } from '../../src/transport/mcp-transport.js';
import type { FastifyInstance } from '../../src/transport/streamable-http/fastify.js';
import { registerStreamableHttp } from '../../src/transport/streamable-http/register-streamable-http.js';
import type { StreamableHttpParts } from '../../src/transport/streamable-http/register-streamable-http.js';

type Answer = (message: RequestMessage, exchange: Exchange) => Promise<DispatchReply>;

/** A dispatcher that answers by the function in `answer` and remembers what it was given. */
export class StubDispatcher implements MessageDispatcher {
  readonly requests: RequestMessage[] = [];
  readonly notifications: NotificationMessage[] = [];
  readonly faults: unknown[] = [];

  constructor(public answer: Answer = async (message) => complete(message)) {}

  dispatch(message: RequestMessage, exchange: Exchange): Promise<DispatchReply> {
    this.requests.push(message);
    return this.answer(message, exchange);
  }

  notify(message: NotificationMessage): undefined {
    this.notifications.push(message);
  }

  async admit(): Promise<undefined> {}

  fault(message: RequestMessage | undefined, thrown: unknown): DispatchReply {
    this.faults.push(thrown);
    const { error, status } = errorToJsonRpc(thrown, { log: () => {} });
    return { message: { jsonrpc: '2.0', ...(message && { id: message.id }), error }, status };
  }
}

export function complete({ id }: RequestMessage, rest: Record<string, unknown> = {}): DispatchReply {
  return { message: { jsonrpc: '2.0', id, result: { resultType: 'complete', ...rest } }, status: 200 };
}

export interface Endpoint {
  readonly fastify: FastifyInstance;
  readonly transport: McpTransport;
  readonly dispatcher: StubDispatcher;
  readonly port: number;
  close(): Promise<void>;
}

const open: Endpoint[] = [];

/** Closes every endpoint that a test left open. */
export async function closeEndpoints(): Promise<void> {
  await Promise.all(open.splice(0).map((endpoint) => endpoint.close()));
}

export interface EndpointOptions extends Partial<Omit<StreamableHttpParts, 'dispatcher'>> {
  readonly answer?: Answer;
  /** In place of the stub. */
  readonly dispatcher?: MessageDispatcher;
  /** Adds the app's own hooks before the endpoint is registered. */
  readonly prepare?: (fastify: FastifyInstance) => unknown;
}

/** An end without a notice and without time for what is in flight. */
const AT_ONCE = { noticeMs: 0, drainMs: 0 };

/** An endpoint at `/mcp` on a real port, which ends at once when it is closed, unless `shutdown` says otherwise. */
export async function startEndpoint({ answer, prepare, dispatcher: real, ...parts }: EndpointOptions = {}): Promise<Endpoint> {
  const fastify = Fastify() as unknown as FastifyInstance;
  const dispatcher = new StubDispatcher(answer);
  await prepare?.(fastify);
  const transport = registerStreamableHttp(fastify, { path: '/mcp', dispatcher: real ?? dispatcher, shutdown: AT_ONCE, ...parts });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = fastify.server.address() as AddressInfo;
  const endpoint: Endpoint = { fastify, transport, dispatcher, port, close: () => fastify.close() };
  open.push(endpoint);
  return endpoint;
}

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly json: any;
}

export interface Outgoing {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer | object;
  readonly agent?: http.Agent;
}

/** Sends one request and reads its reply to the end. */
export async function send(port: number, outgoing: Outgoing = {}): Promise<Reply> {
  const { response } = await begin(port, outgoing);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) };
}

/** Sends one request and gives the response as soon as its head is there. */
export async function begin(
  port: number,
  outgoing: Outgoing = {},
): Promise<{ request: http.ClientRequest; response: http.IncomingMessage }> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    method: outgoing.method ?? 'POST',
    path: outgoing.path ?? '/mcp',
    agent: outgoing.agent ?? false,
    headers: { 'content-type': 'application/json', ...outgoing.headers },
  });
  const body = outgoing.body ?? call();
  request.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { request, response };
}

/** A request message. */
export function call(id: string | number = 1, method = 'test/method', params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** Reads the frames of an SSE response one by one. */
export class Frames {
  private readonly lines: AsyncIterator<string>;

  constructor(response: http.IncomingMessage) {
    this.lines = createInterface({ input: response })[Symbol.asyncIterator]();
  }

  /** The next frame without its blank line; undefined at the end. */
  async next(): Promise<string | undefined> {
    const frame: string[] = [];
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) return undefined;
      if (value === '') return frame.join('\n');
      frame.push(value);
    }
  }

  /** The next message, heartbeats left out. */
  async message(): Promise<any> {
    for (;;) {
      const frame = await this.next();
      if (frame === undefined) return undefined;
      if (!frame.startsWith(':')) return JSON.parse(frame.slice(frame.indexOf('data: ') + 'data: '.length));
    }
  }

  async rest(): Promise<any[]> {
    const messages: any[] = [];
    for (let message = await this.message(); message !== undefined; message = await this.message()) messages.push(message);
    return messages;
  }
}

/** Writes bytes to a socket and reads what comes back until the server closes. */
export async function raw(port: number, text: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

/** One POST as text, with these header lines and nothing else. */
export function post(lines: readonly string[], body = JSON.stringify(call())): string {
  return [
    'POST /mcp HTTP/1.1',
    ...lines,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

export function progress(value: number, token: string | number = 'p'): NotificationMessage {
  return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: value } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Remembers every timer that code of this package sets until `stop`; `running` are those neither fired nor cleared.
 *
 * Other timers do not count: a worker runs many files one after another, and clients and servers of an earlier file may still set some.
 */
export function watchTimers(): { running: () => number; started: () => number; stop: () => void } {
  const { setTimeout: timeout, setInterval: interval } = globalThis;
  const timers: { _destroyed: boolean }[] = [];
  const watch =
    (set: (...parts: any[]) => unknown) =>
    (...parts: any[]): unknown => {
      const timer = set(...parts);
      if (isSetByThisPackage()) timers.push(timer as { _destroyed: boolean });
      return timer;
    };
  Object.assign(globalThis, { setTimeout: watch(timeout), setInterval: watch(interval) });
  return {
    running: () => timers.filter((timer) => !timer._destroyed).length,
    started: () => timers.length,
    stop: () => void Object.assign(globalThis, { setTimeout: timeout, setInterval: interval }),
  };
}

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

function isSetByThisPackage(): boolean {
  return new Error('where a timer is set').stack?.includes(SOURCES) ?? false;
}
