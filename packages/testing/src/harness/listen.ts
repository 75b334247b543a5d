import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { JsonObject, McpResult, RequestId } from '@mocapi/core';
import type { NotificationMessage, WireError } from '@mocapi/core/extension';
import { isJsonObject } from '@mocapi/core/internal';
import { readMessages } from './mcp-reply.js';

/** A request as it goes out. */
export interface PreparedRequest {
  readonly url: string;
  readonly id: RequestId;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborting it closes the connection. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly resolve: (message: NotificationMessage) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const NEXT_TIMEOUT_MS = 5_000;

/**
 * One `subscriptions/listen` request over its own connection: everything that arrives on it, in order, until one side
 * ends it.
 */
export class McpListenStream {
  /** Everything that has arrived, the acknowledgement first. */
  readonly messages: NotificationMessage[] = [];
  /** Comment lines that have arrived. */
  heartbeats = 0;
  /** The result of the request, once the server has ended the stream gracefully. */
  result: McpResult | undefined;
  /** The error of a request that was refused. */
  error: WireError | undefined;
  /** Resolves when nothing more can arrive. */
  readonly ended: Promise<void>;
  private taken = 0;
  private text = '';
  private over = false;
  private waiting: Waiting | undefined;

  private constructor(
    readonly id: RequestId,
    private readonly request: ClientRequest,
    private readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    this.ended = new Promise((resolve) => {
      response.on('error', () => undefined).on('close', () => (this.finish(), resolve()));
    });
  }

  /** Sends the request; resolves when the head of its response has arrived. */
  static async open({ url, id, headers, body, signal }: PreparedRequest): Promise<McpListenStream> {
    const request = httpRequest(url, { method: 'POST', headers, agent: false, ...(signal ? { signal } : {}) });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return new McpListenStream(id, request, response);
  }

  /** The HTTP status. */
  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingMessage['headers'] {
    return this.response.headers;
  }

  /** The next message that has not been taken. @throws Error when none comes in time, or the stream ends first */
  next(timeoutMs = NEXT_TIMEOUT_MS): Promise<NotificationMessage> {
    const message = this.messages[this.taken];
    if (message !== undefined) {
      this.taken += 1;
      return Promise.resolve(message);
    }
    if (this.over) return Promise.reject(new Error('The stream has ended'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.settle((waiting) => waiting.reject(new Error(`No message within ${timeoutMs} ms`))), timeoutMs);
      this.waiting = { resolve, reject, timer };
    });
  }

  /** Takes the acknowledgement. @returns the notifications that the server will send. @throws Error when something else comes first */
  async acknowledged(): Promise<JsonObject> {
    const { method, params } = await this.next();
    if (method !== 'notifications/subscriptions/acknowledged') throw new Error(`${method} came before the acknowledgement`);
    return params?.notifications as JsonObject;
  }

  /** Reads no more from the socket, like a client that has hung. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  /** Closes the connection, which is how a client leaves. */
  async close(): Promise<void> {
    this.request.destroy();
    await this.ended;
  }

  private read(chunk: string): void {
    this.text += chunk;
    const end = this.text.lastIndexOf('\n\n');
    if (end < 0 || !this.isStream) return;
    const whole = this.text.slice(0, end);
    this.text = this.text.slice(end + 2);
    this.heartbeats += whole.split('\n').filter((line) => line.startsWith(':')).length;
    this.take(readMessages('text/event-stream', whole));
  }

  private finish(): void {
    this.over = true;
    if (!this.isStream && this.response.complete) this.take(readMessages('application/json', this.text));
    this.settle(({ reject }) => reject(new Error('The stream has ended')));
  }

  private take(messages: readonly object[]): void {
    for (const message of messages as readonly Record<string, unknown>[]) {
      if (isJsonObject(message.result)) this.result = message.result as unknown as McpResult;
      else if (message.error !== undefined) this.error = message.error as WireError;
      else this.messages.push(message as unknown as NotificationMessage);
    }
    if (this.messages.length > this.taken) this.settle(({ resolve }) => resolve(this.messages[this.taken++]!));
  }

  private settle(settle: (waiting: Waiting) => void): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    settle(waiting);
  }

  private get isStream(): boolean {
    return this.response.headers['content-type'] === 'text/event-stream';
  }
}
