import type { Readable, Writable } from 'node:stream';
import { setImmediate as aTurn } from 'node:timers/promises';
import type { MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { ErrorCode, Method } from '../../protocol/vocabulary.js';
import { errorResponse, type RequestId, type ResponseMessage } from '../../protocol/messages.js';
import { Idle } from '../replying/idle.js';
import type { LegacyEra } from '../legacy/legacy-parts.js';
import type { McpTransport } from '../mcp-transport.js';
import type { JsonBounds } from '../../protocol/json.js';
import { readJson, toMessage } from '../reading/read-message.js';
import { LineReader } from './line-reader.js';
import { LineWriter } from './line-writer.js';
import { StdioOlderClient } from './stdio-older-client.js';
import { StdioRequests } from './stdio-requests.js';

/** Parts of one connection; every value is settled. */
export interface StdioParts extends JsonBounds {
  readonly input: Readable;
  readonly output: Writable;
  readonly dispatcher: MessageDispatcher;
  readonly legacy: LegacyEra;
  /** The URL that guards see as that of a request. */
  readonly path: string;
  readonly maxLineBytes: number;
  readonly drainMs: number;
  readonly shutdownGraceMs: number;
  readonly onCancelled: (id: RequestId, reason: unknown) => void;
}

/**
 * One client on a pair of streams (MCP transports "stdio"): a message a line, answered as they come, in any order.
 * When the input ends, requests in flight may finish within `drainMs`; subscriptions, which never end by themselves,
 * end at once. A lost output ends everything.
 */
export class StdioConnection implements McpTransport {
  /** Resolves when nothing of the connection is left. */
  readonly done: Promise<void>;
  private readonly requests: StdioRequests;
  private readonly older: StdioOlderClient;
  private readonly reader: LineReader;
  private readonly writer: LineWriter;
  private readonly idle = new Idle(() => this.requests.size + this.older.inFlight);
  private isReading = true;
  private settleDone!: () => void;
  private closing: Promise<void> | undefined;

  constructor(private readonly parts: StdioParts) {
    const { input, output, dispatcher, legacy: era, path, maxLineBytes, onCancelled } = parts;
    this.done = new Promise((resolve) => (this.settleDone = resolve));
    this.writer = new LineWriter(output, (isFlowing) => this.flow(isFlowing));
    const shared = { path, writer: this.writer, refuse: (response: ResponseMessage): void => this.refuse(response) };
    this.requests = new StdioRequests({ ...shared, dispatcher, onCancelled, onEnded: () => this.idle.check() });
    this.older = new StdioOlderClient({ ...shared, era, onIdle: () => this.idle.check() });
    this.reader = new LineReader(maxLineBytes, {
      line: (bytes) => this.take(bytes),
      tooLong: (id) => this.refuse(tooLong(maxLineBytes, id)),
    });
    output.on('error', this.lost).on('close', this.lost);
    input.on('data', this.read).on('end', this.end).on('error', this.end).on('close', this.end);
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private take(bytes: Buffer): void {
    const read = readJson(bytes, this.parts);
    if (read.kind === 'json' && this.older.take(read.value)) return;
    const incoming = read.kind === 'json' ? toMessage(read.value) : read;
    if (incoming.kind === 'refused') this.refuse(incoming.response);
    else if (incoming.kind === 'request') this.requests.take(incoming.message);
    else if (incoming.message.method === Method.Cancelled) this.requests.cancel(incoming.message);
    else this.parts.dispatcher.notify(incoming.message);
  }

  private refuse(response: ResponseMessage): void {
    this.writer.reply(response, JSON.stringify(response), () => {});
  }

  private flow(isFlowing: boolean): void {
    if (isFlowing) this.requests.drained();
    if (!this.isReading) return;
    if (isFlowing) this.parts.input.resume();
    else this.parts.input.pause();
  }

  private readonly read = (chunk: Buffer | string): void => this.reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);

  private readonly end = (): void => {
    if (!this.isReading) return;
    this.stopReading();
    void this.finish();
  };

  private readonly lost = (): void => {
    this.writer.break();
    this.requests.drop();
    this.older.disconnect();
    void this.close();
  };

  private async finish(): Promise<void> {
    this.reader.end();
    this.requests.abort('shutdown', ({ method }) => method === Method.Listen);
    await this.idle.within(this.parts.drainMs);
    await this.close();
  }

  private async shutDown(): Promise<void> {
    const { shutdownGraceMs } = this.parts;
    this.stopReading();
    this.requests.abort('shutdown');
    this.older.shutDown();
    await aTurn();
    this.requests.sayLastWords();
    await this.idle.within(shutdownGraceMs);
    await this.writer.flushed(shutdownGraceMs);
    await this.older.close();
    this.parts.output.off('close', this.lost);
    this.settleDone();
  }

  private stopReading(): void {
    this.isReading = false;
    // Errors keep their listeners: without one, a stream that fails late would end the process.
    this.parts.input.off('data', this.read).off('end', this.end).off('close', this.end).pause();
  }
}

function tooLong(maxBytes: number, id: RequestId | undefined): ResponseMessage {
  return errorResponse(id, { code: ErrorCode.InvalidRequest, message: `Invalid request: a line is longer than ${maxBytes} bytes` });
}
