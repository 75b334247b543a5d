import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Exchange } from '../../src/dispatch/exchange.js';
import type { DispatchReply } from '../../src/dispatch/message-dispatcher.js';
import type { RequestMessage } from '../../src/protocol/messages.js';
import { StdioConnection, type StdioParts } from '../../src/transport/stdio/stdio-connection.js';
import { StubDispatcher } from './http-harness.js';

type Answer = (message: RequestMessage, exchange: Exchange) => Promise<DispatchReply>;

/** A request of the revision that is served. */
export function request(id: string | number = 1, method = 'test/method', params: object = {}): object {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

/** The client's end of a stdio connection whose server answers by a function. */
export class StdioPair {
  readonly input = new PassThrough();
  readonly dispatcher: StubDispatcher;
  readonly connection: StdioConnection;
  readonly cancelled: [unknown, unknown][] = [];
  private readonly unread: string[] = [];
  private partial = '';

  constructor(
    answer?: Answer,
    parts: Partial<StdioParts> = {},
    readonly output = new PassThrough(),
  ) {
    this.dispatcher = new StubDispatcher(answer);
    this.connection = new StdioConnection({
      input: this.input,
      output,
      dispatcher: this.dispatcher,
      legacy: 'reject',
      path: '/mcp',
      maxLineBytes: 4096,
      maxJsonDepth: 64,
      maxJsonObjects: 250_000,
      drainMs: 60_000,
      shutdownGraceMs: 60_000,
      onCancelled: (id, reason) => this.cancelled.push([id, reason]),
      ...parts,
    });
  }

  send(message: string | object | Buffer): void {
    if (Buffer.isBuffer(message)) this.input.write(message);
    else this.input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** The next line, as it came. */
  async line(): Promise<string> {
    while (this.unread.length === 0) {
      const chunk = this.output.read() as Buffer | null;
      if (chunk === null) await once(this.output, 'readable');
      else this.take(chunk.toString('utf8'));
    }
    return this.unread.shift()!;
  }

  async message(): Promise<any> {
    return JSON.parse(await this.line());
  }

  /** What is left once the connection is over. */
  async rest(): Promise<any[]> {
    await this.connection.done;
    this.take(((this.output.read() as Buffer | null) ?? '').toString());
    return this.unread.splice(0).map((line) => JSON.parse(line) as unknown);
  }

  private take(text: string): void {
    const lines = (this.partial + text).split('\n');
    this.partial = lines.pop()!;
    this.unread.push(...lines);
  }
}
