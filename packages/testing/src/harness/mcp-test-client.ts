import { PROTOCOL_VERSION, type ClientCapabilities, type JsonObject, type RequestId, type Tool } from '@mocapi/core';
import type { NotificationMessage } from '@mocapi/core/extension';
import { TASKS_EXTENSION } from '@mocapi/tasks';
import { McpListenStream } from './listen.js';
import { readMessages, replyOf, type McpReply, type ReplyResult } from './mcp-reply.js';
import { routingHeaders } from './routing-headers.js';

/** Options that a client sends with every request. */
export interface McpTestClientOptions {
  /** @default form elicitation alone */
  readonly capabilities?: ClientCapabilities;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of one request. */
export interface McpRequestOptions {
  /** In place of the client's own. */
  readonly capabilities?: ClientCapabilities;
  /** Over the client's own and the routing headers; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Over the envelope in `params._meta`; undefined leaves a key out. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Aborting it closes the connection, which is how a client cancels. */
  readonly signal?: AbortSignal;
  /** Called for each notification as it arrives; the reply holds them all anyway. */
  readonly onNotification?: (message: NotificationMessage) => void;
}

/** Members besides name and arguments of a tool call: its retry fields, and options of the request. */
export interface CallToolExtra extends McpRequestOptions {
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
}

/**
 * A client of the revision over real HTTP, made for tests: it sends exactly what you give it and hides nothing that
 * comes back.
 */
export class McpTestClient {
  private lastId = 0;
  private readonly capabilities: ClientCapabilities;

  constructor(
    readonly url: string,
    private readonly options: McpTestClientOptions = {},
  ) {
    this.capabilities = options.capabilities ?? { elicitation: { form: {} } };
  }

  /** The same client, which declares the Tasks extension too. */
  withTasks(): McpTestClient {
    const declared = this.capabilities as { extensions?: JsonObject };
    const capabilities = { ...declared, extensions: { ...declared.extensions, [TASKS_EXTENSION]: {} } } as ClientCapabilities;
    return new McpTestClient(this.url, { ...this.options, capabilities });
  }

  /** Sends a request and reads its answer to the end, be it JSON or an event stream. */
  async request<R = ReplyResult>(method: string, params: JsonObject = {}, options: McpRequestOptions = {}): Promise<McpReply<R>> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: this.headers(method, params, options),
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.lastId, method, params: { ...params, _meta: this.envelope(params, options) } }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const contentType = response.headers.get('content-type') ?? '';
    const raw = await readBody(response, (text) => {
      if (options.onNotification) announce(readMessages(contentType, text), options.onNotification);
    });
    const { status, headers } = response;
    return replyOf<R>(readMessages(contentType, raw), { status, headers, raw, request: { method, params } });
  }

  /** `tools/call`. */
  callTool<R = ReplyResult>(name: string, args: JsonObject = {}, extra: CallToolExtra = {}): Promise<McpReply<R>> {
    const { inputResponses, requestState, ...options } = extra;
    const retry = { ...(inputResponses ? { inputResponses } : {}), ...(requestState === undefined ? {} : { requestState }) };
    return this.request<R>('tools/call', { name, arguments: args, ...retry }, options);
  }

  /** `tools/list`, its first page. */
  listTools(
    options?: McpRequestOptions,
  ): Promise<McpReply<ReplyResult & { readonly tools: readonly Tool[]; readonly nextCursor?: string }>> {
    return this.request('tools/list', {}, options);
  }

  /** `server/discover`. */
  discover(options?: McpRequestOptions): Promise<McpReply> {
    return this.request('server/discover', {}, options);
  }

  /**
   * Sends `subscriptions/listen`, over its own connection.
   * @param options an `id` may be given, to see its JSON type come back
   */
  listen(
    notifications: unknown,
    options: Omit<McpRequestOptions, 'onNotification'> & { readonly id?: RequestId } = {},
  ): Promise<McpListenStream> {
    const method = 'subscriptions/listen';
    const params = (notifications === undefined ? {} : { notifications }) as JsonObject;
    const { id = ++this.lastId, signal } = options;
    const headers = Object.fromEntries(this.headers(method, params, options));
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: this.envelope(params, options) } });
    return McpListenStream.open({ url: this.url, id, headers, body, ...(signal ? { signal } : {}) });
  }

  private headers(method: string, params: JsonObject, { headers }: McpRequestOptions): Headers {
    const merged = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...routingHeaders(method, params),
      ...this.options.headers,
      ...headers,
    };
    return new Headers(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  private envelope(params: JsonObject, { capabilities, meta }: McpRequestOptions): object {
    return {
      'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
      'io.modelcontextprotocol/clientCapabilities': capabilities ?? this.capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'mcp-test-client', version: '1.0.0' },
      ...(params._meta as object | undefined),
      ...meta,
    };
  }
}

/** Reads a body to its end; `onFrame` gets each whole frame of a stream as it comes. */
async function readBody(response: Response, onFrame: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let body = '';
  let announced = 0;
  for await (const chunk of response.body ?? []) {
    body += decoder.decode(chunk as Uint8Array, { stream: true });
    const end = body.lastIndexOf('\n\n');
    if (end <= announced) continue;
    onFrame(body.slice(announced, end));
    announced = end;
  }
  return body + decoder.decode();
}

function announce(messages: readonly { readonly method?: string }[], onNotification: (message: NotificationMessage) => void): void {
  for (const message of messages) if (message.method !== undefined) onNotification(message as NotificationMessage);
}
